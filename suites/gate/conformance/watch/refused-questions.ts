import type { CaseContext } from '../conformance-case.ts'
import { expectError } from '../matchers/expect-error.ts'
import { type KnownQuestion, type MakeQuestions, rpcQuestion } from './known-question.ts'

const ANYBODY = `0x${'d3'.repeat(20)}`

/** Parameters that no reading of the spec takes. */
const REFUSED = {
  eth_call: [[], [null, 'latest'], [{ to: '0x1234' }, 'latest'], [{ to: ANYBODY }, 'newest']],
  eth_getStorageAt: [
    [],
    [ANYBODY.slice(0, -2), '0x0', 'latest'],
    [ANYBODY, '0xzz', 'latest'],
    [ANYBODY, '0x0', 'newest'],
  ],
  eth_getLogs: [[]],
  eth_simulateV1: [[], [null, 'latest'], [{}, 'latest'], [{ blockStateCalls: [{}] }, 'newest']],
  eth_getBlockByNumber: [[], [null, false], ['latest'], ['latest', 'true']],
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
