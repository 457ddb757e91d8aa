import type { Command } from 'commander'

/** What people type who look for a command of another name. */
const MEANT: Readonly<Record<string, string>> = {
  start: 'up',
  devnet: 'up',
  node: 'up',
  test: 'conform',
  gate: 'conform',
}

/**
 * What commander says of an unknown command, with another suggestion where its own is none: a command below
 * another that bears the name, what people mean by the word, or a near name that begins with the same letter.
 *
 * @param text `error: unknown command 'audit'`, and what it suggests on a line of its own; others are left alone
 * @example
 * import { Command } from 'commander'
 *
 * const program = new Command()
 * program.command('journal').command('audit')
 * suggestCommand("error: unknown command 'audit'", program) // ends with (Did you mean journal audit?)
 */
export function suggestCommand(text: string, program: Command): string {
  const [all, sentence = '', word = '', near = ''] = UNKNOWN.exec(text) ?? []
  if (!all) return text
  const below = program.commands.flatMap((parent) =>
    parent.commands
      .filter((child) => child.name() === word)
      .map((child) => `${parent.name()} ${child.name()}`),
  )
  const meant = Object.hasOwn(MEANT, word) ? [MEANT[word]!] : []
  const alike = near.split(', ').filter((name) => name && name[0] === word[0])
  const [names = []] = [below, meant, alike].filter(({ length }) => length > 0)
  const oneOf = names.length > 1 ? 'one of ' : ''
  const line = names.length > 0 ? `\n(Did you mean ${oneOf}${names.join(', ')}?)` : ''
  return text.replace(all, () => `${sentence}${line}`)
}

const UNKNOWN = /^(error: unknown command '(.*)')(?:\n\(Did you mean (?:one of )?([^)]*)\?\))?$/m
