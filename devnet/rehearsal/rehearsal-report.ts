import type { Era } from '#devnet/base/options/eras'
import type { CountedBlocks } from './block-counts/count-blocks.ts'
import { type BlockCount, blockCountText } from './block-counts/describe-block-counts.ts'
import { type Break, findBreaks, merged } from './find-breaks.ts'
import { findChanges } from './find-changes.ts'
import type { PlayedEra } from './play-era.ts'

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
  eras: (Omit<PlayedEra, 'asked' | 'calls'> & { calls: number })[]
  breaks: Break[]
  /** In contracts that it called. */
  counts: BlockCount[]
  /** Blocks and calls in which no counts were looked for. */
  notFollowed: number
  errors: NewError[]
  /** Whether the program does otherwise than before Denim, or will. */
  holds: boolean
}

/**
 * @param played the era before Denim first
 * @param counts of blocks, in contracts of that era
 */
export function judgeRehearsal(
  command: string,
  played: readonly PlayedEra[],
  { counts, missed }: CountedBlocks,
): Rehearsal {
  const [before, ...later] = played
  const breaks = merged([...findBreaks(before!.calls), ...findChanges(before!, later)])
  const errors = later.flatMap((each) => newErrors(before!, each))
  const isSame = played.every(({ exitCode = 0 }) => exitCode === 0)
  return {
    command,
    eras: played.map(({ asked: _, ...each }) => ({ ...each, calls: each.calls.length })),
    breaks,
    counts,
    notFollowed: missed,
    errors,
    holds: isSame && [errors, counts, breaks.filter(isCertain)].every(({ length }) => length === 0),
  }
}

const isCertain = ({ kind }: Break) => kind === 'breaks'

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
export function rehearsalText({
  command,
  eras,
  breaks,
  counts,
  notFollowed,
  errors,
  holds,
}: Rehearsal): string {
  const lines = [
    `# ${holds ? 'Holds' : 'Does not hold'} when blocks come every 200 ms: \`${command}\``,
    '',
    '| Chain | Ended with | Took | Calls |',
    '|-|-|-|-|',
    ...eras.map(
      ({ era, exitCode, took, calls }) =>
        `| ${era} Denim | ${endedWith(exitCode)} | ${(took / 1000).toFixed(1)} s | ${calls} |`,
    ),
    ...eras.flatMap(remarks),
    ...(notFollowed > 0
      ? ['', `In ${notFollowed} blocks and calls no counts of blocks were looked for.`]
      : []),
    ...section('Breaks', breaks.filter(isCertain).map(breakLine)),
    ...section('Counts of blocks that stand for a time', counts.filter(isBlocks).map(countLine)),
    ...section('Seconds that stand for a block', counts.filter(isSeconds).map(countLine)),
    ...section('Errors that were not there before', errors.map(errorLine)),
    ...section('To look at', breaks.filter(({ kind }) => kind === 'look').map(breakLine)),
    '',
    'Not looked at: what a program counts or keeps without asking the chain, and contracts that it does not call.',
  ]
  return lines.join('\n')
}

const endedWith = (exitCode: number | null | undefined) =>
  exitCode === undefined ? 'not at all' : (exitCode ?? 'a signal')

function remarks({ era, exitCode, crossed, missed }: Rehearsal['eras'][number]): string[] {
  const ended = exitCode === undefined ? 'The record was ended' : 'The program had ended'
  const notCrossed = `${ended} before Denim came: give a smaller \`--denim-after\`.`
  return [
    ...(era === 'across' && !crossed ? ['', notCrossed] : []),
    ...(missed > 0 ? ['', `${missed} calls ${era} Denim came too fast to be recorded.`] : []),
  ]
}

function section(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines]
}

const isSeconds = ({ kind }: BlockCount) => kind === 'second'
const isBlocks = (count: BlockCount) => !isSeconds(count)
const countLine = (count: BlockCount) => `- ${blockCountText(count)}`

const breakLine = ({ what, count, why, instead }: Break) =>
  `- **${what}** (${times(count)}). ${why} Instead: ${instead}.`

const errorLine = ({ era, method, code, message, count }: NewError) =>
  `- **${method}** ${era} Denim (${times(count)}): ${code}, ${message}`

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)
