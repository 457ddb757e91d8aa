import { type Break, findBreaks } from './find-breaks.ts'
import type { Era, PlayedEra } from './play-era.ts'

/** An error that a program met in an era, and not before Denim. */
export interface NewError {
  era: Era
  method: string
  code: number
  message: string
  count: number
}

/** What a rehearsal found. */
export interface Rehearsal {
  command: string
  eras: (Omit<PlayedEra, 'calls'> & { calls: number })[]
  breaks: Break[]
  errors: NewError[]
  /** Whether the program does otherwise than before Denim, or will. */
  holds: boolean
}

/** @param played the era before Denim first */
export function judgeRehearsal(command: string, played: readonly PlayedEra[]): Rehearsal {
  const [before, ...later] = played
  const breaks = findBreaks(before!.calls)
  const errors = later.flatMap((each) => newErrors(before!, each))
  const isSame = played.every(({ exitCode }) => exitCode === 0)
  return {
    command,
    eras: played.map((each) => ({ ...each, calls: each.calls.length })),
    breaks,
    errors,
    holds: isSame && errors.length === 0 && breaks.every(({ kind }) => kind !== 'breaks'),
  }
}

function newErrors(before: PlayedEra, { era, calls }: PlayedEra): NewError[] {
  const key = (method: string, code: number) => `${method} ${code}`
  const known = new Set(
    before.calls.flatMap(({ method, error }) => (error ? [key(method, error.code)] : [])),
  )
  const found = new Map<string, NewError>()
  for (const { method, error } of calls) {
    if (!error || known.has(key(method, error.code))) continue
    const { count = 0 } = found.get(key(method, error.code)) ?? {}
    found.set(key(method, error.code), { era, method, ...error, count: count + 1 })
  }
  return [...found.values()]
}

/** The report as Markdown, which reads as well on a terminal. */
export function rehearsalText({ command, eras, breaks, errors, holds }: Rehearsal): string {
  const lines = [
    `# ${holds ? 'Holds' : 'Does not hold'} when blocks come every 200 ms: \`${command}\``,
    '',
    '| Chain | Ended with | Took | Calls |',
    '|-|-|-|-|',
    ...eras.map(
      ({ era, exitCode, took, calls }) =>
        `| ${era} Denim | ${exitCode ?? 'a signal'} | ${(took / 1000).toFixed(1)} s | ${calls} |`,
    ),
    ...eras.flatMap(remarks),
    ...section('Breaks', breaks.filter(({ kind }) => kind === 'breaks').map(breakLine)),
    ...section('Errors that were not there before', errors.map(errorLine)),
    ...section('To look at', breaks.filter(({ kind }) => kind === 'look').map(breakLine)),
    '',
    'Not looked at: counts of blocks in contracts and in code (locks, confirmations, voting periods), and what is kept by a block’s second.',
  ]
  return lines.join('\n')
}

function remarks({ era, crossed, missed }: Rehearsal['eras'][number]): string[] {
  const notCrossed = 'The program had ended before Denim came: give a smaller `--denim-after`.'
  return [
    ...(era === 'across' && !crossed ? ['', notCrossed] : []),
    ...(missed > 0 ? ['', `${missed} calls ${era} Denim came too fast to be recorded.`] : []),
  ]
}

function section(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines]
}

const breakLine = ({ what, count, why, instead }: Break) =>
  `- **${what}** (${times(count)}). ${why} Instead: ${instead}.`

const errorLine = ({ era, method, code, message, count }: NewError) =>
  `- **${method}** ${era} Denim (${times(count)}): ${code}, ${message}`

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)
