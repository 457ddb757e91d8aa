import type { Hex } from 'viem'
import { nameError } from './name-error.ts'
import type { OwnDevnet } from './own-devnet.ts'

interface Frame {
  type: string
  from: Hex
  to?: Hex
  gas: Hex
  gasUsed: Hex
  input: Hex
  output?: Hex
  error?: string
  calls?: Frame[]
}

interface Receipt {
  status: Hex
  gasUsed: Hex
  blockNumber: Hex | null
}

interface Explanation {
  outcome: 'succeeded' | 'reverted' | 'waits' | 'dropped' | 'unknown'
  /** One sentence. */
  why: string
  /** Of what reverted: the calls from the outermost to the one that failed first. */
  path?: { type: string; to: Hex | undefined; selector: string; error: string }[]
  gasUsed?: number
}

/** What became of a transaction, and why. @throws RollbedError NO_DEVNET, NO_SUCH_BRANCH */
export async function explainTransaction(
  devnet: OwnDevnet,
  hash: string,
  on: string | undefined,
): Promise<Explanation> {
  const receipt = (await devnet.ask('eth_getTransactionReceipt', [hash], on)) as Receipt | null
  if (!receipt) return withoutReceipt(devnet, hash, on)
  const gasUsed = Number(receipt.gasUsed)
  if (receipt.status === '0x1') {
    return { outcome: 'succeeded', why: 'It did what it was sent for.', gasUsed }
  }
  const trace = [hash, { tracer: 'callTracer' }]
  const root = (await devnet.ask('debug_traceTransaction', trace, on)) as Frame
  const path = failingPath(root)
  const deepest = path.at(-1)!
  const why = await reasonOf(deepest, devnet.artifacts)
  return {
    outcome: 'reverted',
    why,
    path: path.map(({ type, to, input, error }) => {
      return { type, to, selector: input.slice(0, 10), error: error ?? '' }
    }),
    gasUsed,
  }
}

async function withoutReceipt(
  devnet: OwnDevnet,
  hash: string,
  on: string | undefined,
): Promise<Explanation> {
  if (await devnet.ask('eth_getTransactionByHash', [hash], on)) {
    const why = 'It waits in the pool: for the next flashblock, for more gas price, or for a nonce.'
    return { outcome: 'waits', why }
  }
  const { drops } = (await devnet.ask('rollbed_drops', [hash], on)) as {
    drops: { code: string; reason: string }[]
  }
  const [drop] = drops
  if (drop) return { outcome: 'dropped', why: `${drop.code}: ${drop.reason}` }
  return { outcome: 'unknown', why: 'The chain that was asked has never seen this transaction.' }
}

/** A call fails of itself when no call within it gave back what it gives back. */
function failingPath(root: Frame): Frame[] {
  const path = [root]
  for (let frame = root; ; ) {
    const { output } = frame
    const cause = frame.calls?.findLast((call) => call.error && call.output === output)
    if (!cause) return path
    path.push(cause)
    frame = cause
  }
}

async function reasonOf({ error = '', output = '0x' }: Frame, artifacts?: string): Promise<string> {
  if (output === '0x') return `${error}, and no reason was given.`
  const named = await nameError(output, artifacts)
  if (named) return named
  const selector = output.slice(0, 10)
  return `${error} with ${selector}, an error that no known contract has: start the devnet with artifacts to name it.`
}
