import { userKeys } from '#fixtures/chain/dev-keys'
import { transferData } from '../erc20.ts'
import type { ReadCase } from './read-case.ts'
import type { Scene } from './scene.ts'

const OWNER = userKeys[0]!.address
/** Questions of one case: fewer where each is long. */
const CALLS = 20_000
const MOST_VARIANTS = 200

/** `eth_simulateV1` of blocks of token transfers; each question pays another holder. */
export function simulationCase(
  { token, holders }: Scene,
  { blocks, calls, connections }: { blocks: number; calls: number; connections?: number },
): ReadCase {
  const inEach = `${calls} call${calls === 1 ? '' : 's'}`
  const variants = Math.min(MOST_VARIANTS, Math.ceil(CALLS / (blocks * calls)))
  return {
    what: `simulateV1, ${blocks === 1 ? inEach : `${blocks} blocks of ${inEach}`}`,
    ...(connections !== undefined && { connections }),
    questions: () =>
      Array.from({ length: variants }, (_, variant) => {
        const to = holders[(variant * 5) % holders.length]!
        const call = (amount: number) => ({
          from: OWNER,
          to: token,
          data: transferData(to, BigInt(amount)),
        })
        const blockStateCalls = Array.from({ length: blocks }, (_, block) => ({
          calls: Array.from({ length: calls }, (_, at) => call(block * calls + at + 1)),
        }))
        return {
          method: 'eth_simulateV1',
          params: [{ blockStateCalls }, 'latest'],
          isRight: (result: unknown) => hasTransfers(result, { blocks, calls }),
        }
      }),
  }
}

function hasTransfers(result: unknown, want: { blocks: number; calls: number }): boolean {
  const blocks = result as { calls: { status: string; logs: unknown[] }[] }[]
  return (
    blocks.length === want.blocks &&
    blocks.every(
      ({ calls }) =>
        calls.length === want.calls &&
        calls.every(({ status, logs }) => status === '0x1' && logs.length === 1),
    )
  )
}
