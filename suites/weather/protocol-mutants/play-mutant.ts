import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { systemClock } from '#protocol/clock/system-clock'
import type { PartName } from '../model/part-name.ts'
import type { MutantOutcome } from './mutant-outcome.ts'
import type { MutantWord } from './mutant-word.ts'
import type { Mutation } from './mutation.ts'
import { ROOT } from './protocol-files.ts'
import { STILL } from './watch-still.ts'

const FOLDER = 'suites/weather/protocol-mutants'
/** Milliseconds without a word until a world that does nothing is ended; one that works is by its own CPU time. */
const SILENCE = 3_600_000

/**
 * Plays seeds against one change, in a process of its own, until one of them finds it.
 * @param seeds none: no run comes to the place, and nothing is played
 */
export async function playMutant(
  mutation: Mutation,
  part: PartName,
  seeds: readonly number[],
): Promise<MutantOutcome> {
  const { id, from, to } = mutation
  const outcome: MutantOutcome = {
    id,
    from,
    to,
    part,
    verdict: 'survived',
    runs: 0,
    isReached: false,
  }
  if (seeds.length === 0) return outcome
  const args = ['--import', `./${FOLDER}/mutant-hooks.ts`, `${FOLDER}/play-here.ts`, ...seeds]
  const child = spawn(process.execPath, args.map(String), {
    cwd: ROOT,
    env: { ...process.env, ROLLBED_PROTOCOL_MUTANT: JSON.stringify(mutation) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const errors: string[] = []
  child.stderr.on('data', (chunk) => errors.push(String(chunk)))
  let isSilent = false
  const watch = () =>
    systemClock.after(SILENCE, () => {
      isSilent = true
      child.kill('SIGKILL')
    })
  let silence = watch()
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => {
    silence.cancel()
    silence = watch()
    const word = JSON.parse(line) as MutantWord
    if ('played' in word) Object.assign(outcome, { runs: word.played, isReached: word.isReached })
    else Object.assign(outcome, { ...word, verdict: 'found' })
  })
  const [code] = await Promise.all([
    new Promise<number | null>((resolve) => child.once('close', resolve)),
    new Promise((resolve) => lines.once('close', resolve)),
  ])
  silence.cancel()
  if (code === 0) return outcome
  const said = errors.join('')
  return { ...outcome, ...ending(outcome.runs, isSilent || said.includes(STILL), said) }
}

/** What a process that did not end well shows. */
function ending(runs: number, isSilent: boolean, errors: string): Partial<MutantOutcome> {
  if (/SyntaxError/.test(errors) && runs === 0)
    return { verdict: 'nothing', problem: lastWords(errors) }
  const checker = isSilent ? 'goes-on' : runs === 0 ? 'starts' : 'lives'
  const problem = isSilent ? STILL : lastWords(errors)
  return { verdict: 'found', runs: runs + 1, isReached: true, checker, problem }
}

const lastWords = (errors: string) =>
  /^\S*Error.*$/m.exec(errors)?.[0] ??
  errors.trim().split('\n').at(-1) ??
  'It ended without a word.'
