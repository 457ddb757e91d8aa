/** A small change of a caller's source, in the process it runs in. */
export interface Mistake {
  /** End of the file's path. */
  file: string
  /** The first place with this text … */
  from: string
  /** … says this instead. */
  to: string
}

const HOOKS = new URL('./mistake-hooks.ts', import.meta.url)

/**
 * The command of a caller that is a script of Node, so that it makes the mistake.
 * @example makeMistake('node own-proposer.ts', { file: 'own-proposer.ts', from: '+ 27)', to: ')' })
 */
export function makeMistake(command: string, mistake: Mistake): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  return `NODE_OPTIONS=${quote(`--import ${HOOKS.href}`)} ROLLBED_MISTAKE=${quote(JSON.stringify(mistake))} ${command}`
}
