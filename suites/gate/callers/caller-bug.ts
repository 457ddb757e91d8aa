import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeMistake } from '#mocks/index'
import { quoteWord } from '../conformance/index.ts'

/** A small caller that is not ours: each knows the contracts, a rollup node and a prover host by itself. */
export type Sample = 'viem-challenger.ts' | 'ethers-proposer.ts' | 'cast-challenger.sh'

/** A fault in one line of a sample, that the gate has to find. */
export interface CallerBug {
  name: string
  sample: Sample
  /** What is wrong, in one sentence. */
  says: string
  /** The first place with this text … */
  from: string
  /** … says this instead. */
  to: string
  /** The case that it fails. */
  fails: string
  /** The place that the failure names: it has to lead to the line. */
  at: string
}

const SAMPLES = join(import.meta.dirname, 'samples')

/** The text of a sample. */
export const sampleText = (sample: Sample) => readFileSync(join(SAMPLES, sample), 'utf8')

/** A proposer or a challenger, as targets are named. */
export const kindOf = (sample: Sample) =>
  sample === 'ethers-proposer.ts' ? 'proposer' : 'challenger'

/**
 * The command of a sample.
 * @param path where its programs are looked for first; default: where they are looked for anyway
 */
export function sampleCommand(sample: Sample, path?: string): string {
  const file = join(SAMPLES, sample)
  if (!isShell(sample)) return [process.execPath, file].map(quoteWord).join(' ')
  return shellCommand(file, path)
}

/** The command of a sample with a fault in it; the copy that it may need is gone in the end. */
export async function plantBug(
  { sample, from, to }: CallerBug,
  path?: string,
): Promise<AsyncDisposable & { command: string }> {
  if (!isShell(sample)) {
    const command = makeMistake(sampleCommand(sample), { file: sample, from, to })
    return { command, [Symbol.asyncDispose]: async () => {} }
  }
  const folder = await mkdtemp(join(tmpdir(), 'rollbed-caller-bug-'))
  const file = join(folder, sample)
  await writeFile(
    file,
    sampleText(sample).replace(from, () => to),
  )
  return {
    command: shellCommand(file, path),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

const isShell = (sample: Sample) => sample.endsWith('.sh')

function shellCommand(file: string, path: string | undefined): string {
  const command = `sh ${quoteWord(file)}`
  return path === undefined ? command : `PATH=${quoteWord(path)}:"$PATH" ${command}`
}
