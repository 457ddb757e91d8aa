import type { FaultEngine } from '#devnet/faults/fault-engine'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { CheatRpc } from '../cheat-rpc.ts'

/** @throws RollbedError FAULTS_OFF */
export function faultsOf({ faults }: CheatRpc): FaultEngine {
  if (faults) return faults
  throw new RollbedError('FAULTS_OFF', 'This devnet was not started for faults.', {
    hint: "Start it with 'rollbed up --faults none' (or a plan instead of 'none'), or by the tool start with faults: true.",
  })
}
