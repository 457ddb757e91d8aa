import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectBytes, expectHash } from '../../matchers/expect-hex.ts'
import { judgeEach } from '../../seen/judge-each.ts'

const NOBODY = `0x${'00'.repeat(20)}`
const SLOT = `0x${'00'.repeat(32)}`

/** A case that judges every answer of one method in the run; where no other case asks, there is one. */
const ofMethod = (
  about: Pick<ConformanceCase, 'id' | 'area' | 'title' | 'rules'>,
  [method, params]: readonly [string, readonly unknown[]],
  expectResult: (result: unknown, at: string) => void,
): ConformanceCase => ({
  ...about,
  needs: ['rpc'],
  judgesAll: true,
  rationale: 'A form that is wrong now and then shows in one of many answers.',
  async run(t) {
    await t.rpc.call(method, params)
    await judgeEach(t.seen.to(method), `answers to ${method}`, ({ result }) =>
      expectResult(result, 'result'),
    )
  },
})

export const cases = defineCases([
  ofMethod(
    {
      id: 'rpc.call.seen-form.01',
      area: 'call',
      title: 'Every result of eth_call in the run is one string of whole bytes in hex',
      rules: ['RPC-CALL-03'],
    },
    ['eth_call', [{ to: NOBODY }, 'latest']],
    expectBytes,
  ),
  ofMethod(
    {
      id: 'rpc.storage.seen-form.01',
      area: 'storage',
      title: 'Every result of eth_getStorageAt in the run is one word of 32 bytes in hex',
      rules: ['RPC-STOR-05'],
    },
    ['eth_getStorageAt', [NOBODY, SLOT, 'latest']],
    expectHash,
  ),
])
