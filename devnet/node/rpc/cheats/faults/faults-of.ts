import { RollbedError } from '../../../../../enclave-sim/protocol/errors/rollbed-error.ts'
import type { FaultEngine } from '../../../../faults/fault-engine.ts'
import type { CheatRpc } from '../cheat-rpc.ts'

/** @throws RollbedError FAULTS_OFF */
export function faultsOf({ faults }: CheatRpc): FaultEngine {
  if (faults) return faults
  throw new RollbedError('FAULTS_OFF', 'This devnet was not started for faults.', {
    hint: "Start it with 'rollbed up --faults none', or with a plan instead of 'none'.",
  })
}
