import { headerHash } from '../../../../../enclave-sim/protocol/execution/header.ts'
import { JsonText } from '../../../../json-rpc/json-text.ts'
import { positional } from '../../../../json-rpc/params/positional.ts'
import { isSealed } from '../../../chain-view.ts'
import { RPC_GAS_CAP } from '../../calls/call-message.ts'
import type { NodeMethod } from '../../node-rpc.ts'
import { parseRequiredStateSelector } from '../../selector/block-selector.ts'
import { requireBlock } from '../../selector/find-block.ts'
import { parseSimulation } from '../../simulate/parse-simulation.ts'
import { planBlocks } from '../../simulate/plan-blocks.ts'

/**
 * `eth_simulateV1 [simulationPayload, blockParameter]`: blocks of calls upon a block, pending
 * included. Rules RPC-SIM-*, ERR-05; OPEN-28…36; execution-apis for all they leave open.
 *
 * @throws JsonRpcError -32602, -32001, and -38010 to -38026 for the whole simulation
 */
export const ethSimulateV1: NodeMethod = async (rpc, params, { signal }) => {
  const [simulationPayload, blockParameter] = positional(params)
  const payload = parseSimulation(simulationPayload)
  const selector = parseRequiredStateSelector(blockParameter, 'blockParameter', rpc.profile)
  const base = requireBlock(rpc, selector)
  const blocks = planBlocks(base.header, payload.entries, {
    blockTime: BigInt(rpc.blockTime),
    fillGaps: rpc.profile.simulateGaps !== 'left out',
  })
  const { traceTransfers, validation } = payload
  const text = await rpc.runner.simulate(
    {
      config: rpc.config,
      base: { header: base.header, hash: isSealed(base) ? base.hash : headerHash(base.header) },
      blocks,
      traceTransfers,
      validation,
      lendsFunds: !validation && rpc.profile.simulateFunds === 'lent',
      gasCap: RPC_GAS_CAP,
      fullTransactions: payload.returnFullTransactions,
      profile: rpc.profile,
    },
    signal,
  )
  return new JsonText(text)
}
