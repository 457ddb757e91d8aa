import { instead, keptIn } from '../caller-mistakes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

const challenger = mutantsOf('challenger', 'challenger')

const CHALLENGER = 'own-challenger.ts'

/** Challengers that take what was right of one game, or at one time, for right of all. */
export const OVERLOOKING_MUTANTS: readonly Mutant[] = [
  challenger(
    'PRV-REQ-06',
    'stops-at-child',
    'Fails at a game that starts from a wrong root, and never comes to those behind it',
    instead(
      CHALLENGER,
      'if (agreed.root !== startRoot) return undefined',
      "if (agreed.root !== startRoot) throw new Error('it starts from a wrong root')",
    ),
  ),
  challenger(
    'PRV-REQ-07',
    'first-interval',
    'Takes the interval of the first game that it looks at for that of all games',
    instead(
      CHALLENGER,
      'const interval = (last - start) / count',
      'const kept = globalThis as { interval?: bigint }\n  const interval = (kept.interval ??= (last - start) / count)',
    ),
  ),
  challenger(
    'PIPE-26',
    'index-from-genesis',
    'Counts the index of a wrong root from genesis, and not from the start of its game',
    instead(
      CHALLENGER,
      'args: [proof, index, truth.root]',
      'args: [proof, wrong.end / wrong.interval - 1n, truth.root]',
    ),
  ),
  challenger(
    'PRV-REQ-12',
    'roots-kept',
    'Keeps the roots of blocks on disk, though L2 has other blocks there by now',
    instead(
      CHALLENGER,
      'async function outputAt(block: bigint): Promise<{ hash: Hex; root: Hex }> {\n',
      `async function outputAt(block: bigint): Promise<{ hash: Hex; root: Hex }> {
  const text: string = ${keptIn("'root-' + block", 'JSON.stringify(await newestOutputAt(block))')}
  return JSON.parse(text)
}

async function newestOutputAt(block: bigint): Promise<{ hash: Hex; root: Hex }> {
`,
    ),
  ),
]
