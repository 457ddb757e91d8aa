/** One line of a log as pino writes it. */
export interface LogLine {
  /** 30 info, 40 warn, 50 error. */
  level: number
  msg?: string
  err?: { code?: string; message?: string; hint?: string }
  [fact: string]: unknown
}

/** What every line has and nobody reads. */
const BESIDE = ['level', 'time', 'msg', 'err']
const SAID = [
  [50, 'error: '],
  [40, 'warning: '],
] as const

/**
 * The same as a sentence for people: what happened, what it was about, and of an error what to do. Stacks
 * are left to JSON.
 * @example
 * logSentence({ level: 40, msg: 'batch lost on L1', first: 7 }) // 'warning: Batch lost on L1 (first 7).'
 */
export function logSentence(line: LogLine): string {
  const [, severity = ''] = SAID.find(([least]) => line.level >= least) ?? []
  const { code, message = '', hint } = line.err ?? {}
  const { msg = message } = line
  const facts = Object.entries(line)
    .filter(([name, fact]) => !BESIDE.includes(name) && fact !== undefined)
    .map(
      ([name, fact]) =>
        `${inWords(name)} ${typeof fact === 'object' ? JSON.stringify(fact) : fact}`,
    )
  const about = facts.length > 0 ? ` (${facts.join(', ')})` : ''
  const cause = line.err && msg !== message ? sentence(`${code ? `${code}: ` : ''}${message}`) : ''
  const parts = [sentence(`${msg.replace(/[.\s]+$/, '')}${about}`), cause, hint ?? '']
  return severity + parts.filter(Boolean).join(' ')
}

const inWords = (name: string) =>
  name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const sentence = (text: string) =>
  text.replace(/^[a-z](?=[a-z ])/, (first) => first.toUpperCase()).replace(/(?<![.!?])$/, '.')
