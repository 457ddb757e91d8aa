import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startChallenger } from '#devnet/actors/challenger/start-challenger'
import { startProposer } from '#devnet/actors/proposer/start-proposer'
import { startRegistrar } from '#devnet/actors/registrar/start-registrar'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { VirtualClock } from '#protocol/clock/virtual-clock'

/** The discard port: nothing listens there. */
const nowhere = 'http://127.0.0.1:9/secret-key'
const contract = `0x${'11'.repeat(20)}` as const

test.each(['proposer', 'challenger', 'registrar'] as const)(
  'given URLs where nothing answers, when a %s runs, then it says so without the URL’s secrets, and stops when told',
  async (name) => {
    const logged: string[] = []
    const first = Promise.withResolvers<void>()
    const write = (line: string) => {
      logged.push(line)
      if (line.includes('round failed')) first.resolve()
    }
    const shared = {
      l1RpcUrl: nowhere,
      clock: new VirtualClock(),
      logger: pino({}, { write }),
      key: roleKeys[name],
      factory: contract,
    }
    const actor = {
      proposer: () => startProposer({ ...shared, rollupRpcUrl: nowhere, proverUrl: nowhere }),
      challenger: () => startChallenger({ ...shared, l2RpcUrl: nowhere, proverUrl: nowhere }),
      registrar: () => startRegistrar({ ...shared, registry: contract, proverUrls: [nowhere] }),
    }[name]()
    await first.promise
    await actor.stop()
    // A call beside the one that failed ends a moment later.
    await shared.clock.advance(0)
    expect(logged.join()).toContain('RPC_UNREACHABLE')
    expect(logged.join()).not.toContain('secret-key')
    expect(shared.clock.nextAlarm()).toBeUndefined()
  },
)
