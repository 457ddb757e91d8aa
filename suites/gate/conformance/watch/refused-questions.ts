import type { CaseContext } from '../conformance-case.ts'
import { expectError } from '../matchers/expect-error.ts'
import { type KnownQuestion, type MakeQuestions, rpcQuestion } from './known-question.ts'

const ANYBODY = `0x${'d3'.repeat(20)}`

/** Parameters that no reading of the spec takes: none, too few, of another type, of another length. */
const REFUSED = {
  eth_call: [
    [],
    [null, 'latest'],
    ['0x', 'latest'],
    [{ to: '0x1234' }, 'latest'],
    [{ to: ANYBODY }, 'newest'],
  ],
  eth_getStorageAt: [
    [],
    [ANYBODY],
    [null, '0x0', 'latest'],
    [ANYBODY.slice(0, -2), '0x0', 'latest'],
    [ANYBODY, '0xzz', 'latest'],
    [ANYBODY, '0x0', 'newest'],
  ],
  eth_getLogs: [[], [null], ['latest']],
  eth_simulateV1: [
    [],
    [null, 'latest'],
    [{}, 'latest'],
    [{ blockStateCalls: {} }, 'latest'],
    [{ blockStateCalls: [{}] }, 'newest'],
  ],
  eth_getBlockByNumber: [
    [],
    [null, false],
    [{}, false],
    ['latest'],
    ['latest', 'true'],
    ['latest', 1],
  ],
} satisfies Record<string, readonly (readonly unknown[])[]>

const refusedBy =
  (method: keyof typeof REFUSED): MakeQuestions =>
  async ({ rpc }: CaseContext): Promise<KnownQuestion[]> =>
    REFUSED[method].map((params) =>
      rpcQuestion(rpc, [method, params], (reply) => expectError(reply, 'reply')),
    )

/** Calls that must be refused, each time. */
export const refusedQuestions = {
  calls: refusedBy('eth_call'),
  slots: refusedBy('eth_getStorageAt'),
  filters: refusedBy('eth_getLogs'),
  simulations: refusedBy('eth_simulateV1'),
  blocks: refusedBy('eth_getBlockByNumber'),
}
