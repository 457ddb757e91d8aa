import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { SimulatedPart } from './simulated-part.ts'
import type { SimulatedProcess } from './simulated-process.ts'
import type { WorldContext } from './world-context.ts'

/** Proposer, challenger and registrar, each a process of its own. They keep nothing: L1 is their memory. */
export function actorParts(context: WorldContext): SimulatedPart[] {
  const { ground } = context
  const { contracts, root, recorder, faults, logger, clock, parts } = ground
  const factory = contracts.disputeGameFactory
  const l1Of = (process: SimulatedProcess) => context.rpc(process, 'actor-l1', 'l1')
  const hostOf = (process: SimulatedProcess) => context.rpc(process, 'actor-host', 'host')

  const part = (
    name: 'registrar' | 'proposer' | 'challenger',
    begin: (process: SimulatedProcess) => OwnedResource,
  ) =>
    new SimulatedPart({
      name,
      clock: name === 'registrar' ? context.clockOf('registrar') : clock,
      recorder,
      faults,
      async start(process) {
        begin(process)
      },
    })
  const common = (process: SimulatedProcess) => ({
    l1RpcUrl: l1Of(process),
    clock: context.looks(process.clock),
    logger,
    onOutcome: ({ kind, idle }: { kind: string; idle: boolean }) => {
      if (!idle) recorder.record(process.name, 'outcome', { kind })
    },
  })
  return [
    part('registrar', (process) =>
      parts.startRegistrar({
        ...common(process),
        proverUrls: [hostOf(process)],
        registry: contracts.teeProverRegistry,
        key: roleKeys.registrar,
        trustedRoot: root.certificate,
      }),
    ),
    part('proposer', (process) =>
      parts.startProposer({
        ...common(process),
        rollupRpcUrl: context.rpc(process, 'actor-rollup', 'rollup'),
        proverUrl: hostOf(process),
        factory,
        key: roleKeys.proposer,
      }),
    ),
    part('challenger', (process) =>
      parts.startChallenger({
        ...common(process),
        l2RpcUrl: context.rpc(process, 'client-l2', 'node'),
        proverUrl: hostOf(process),
        factory,
        key: roleKeys.challenger,
      }),
    ),
  ]
}
