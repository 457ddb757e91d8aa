import { startRequestCounter } from '#mocks/index'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { HOST_NEEDS, HOST_TIMEOUT, startHost, using } from '../../hosts/run-host.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { oneBlock, signatureIn, withEnclaves } from '../../scenes/host-scenes.ts'
import { recordedProof } from '../../scenes/recorded-witness.ts'

const NEEDS = [...HOST_NEEDS, 'driver'] as const
const SWITCH = [['--experimental-witness-endpoint', '']] as const

/** Whether L2 was asked for a whole payload's witness while a proof was made. */
async function isAskedWithSwitch(t: CaseContext): Promise<boolean> {
  const request = await oneBlock(t)
  const counter = startRequestCounter({ target: t.targets.rpc!, clock: t.clock })
  return using([counter], ([l2]) =>
    withEnclaves(t, 1, async ([enclave]) => {
      const host = await startHost(t, { enclaves: [enclave!.endpoint], l2: l2!.url, more: SWITCH })
      const reply = await host.rpc.call('prover_prove', [request])
      host.interrupt()
      expectEqual(signatureIn(reply), enclave!.proof.signature, 'signature of the proof')
      return l2!.asked('debug_executePayload')
    }),
  )
}

export const cases = defineCases([
  {
    id: 'host.witness.switch-off.01',
    title: 'Without the switch a host proves, and does not ask for debug_executePayload',
    area: 'host',
    rules: ['HOST-CFG-18', 'HOST-CFG-19'],
    level: 'may',
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'Few L2 nodes have the method; nobody must need it.',
    async run(t) {
      const { reply, signature, asksForPayloadWitness } = await t.scene(recordedProof)
      expectEqual(signatureIn(reply), signature, 'signature of the proof')
      expectEqual(asksForPayloadWitness, false, 'debug_executePayload asked for')
    },
  },
  {
    id: 'host.witness.switch-on.01',
    title: 'With --experimental-witness-endpoint a host proves by debug_executePayload',
    area: 'host',
    rules: ['HOST-CFG-18', 'HOST-CFG-19'],
    level: 'may',
    needs: NEEDS,
    timeout: HOST_TIMEOUT,
    rationale: 'Seen by a stand-in before L2, whether or not L2 has the method.',
    run: async (t) =>
      expectEqual(await isAskedWithSwitch(t), true, 'debug_executePayload asked for'),
  },
])
