import { JsonRpcError } from '#devnet/base/json-rpc/json-rpc-error'
import { JsonText } from '#devnet/base/json-rpc/json-text'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { isSealed } from '#devnet/l2/node/chain-view'
import { headerHash } from '#protocol/execution/header'
import type { BlockTimes } from '#protocol/upgrades/block-times'
import { RPC_GAS_CAP } from '../../calls/call-message.ts'
import type { NodeMethod, NodeRpc } from '../../node-rpc.ts'
import { type BlockSelector, parseRequiredStateSelector } from '../../selector/block-selector.ts'
import { findBlock, firstBlock, requireBlock } from '../../selector/find-block.ts'
import type { ReadableBlock } from '../../selector/readable-block.ts'
import { parseSimulation } from '../../simulate/parse-simulation.ts'

/**
 * `eth_simulateV1 [simulationPayload, blockParameter]`: blocks of calls upon a block, pending
 * included. Rules RPC-SIM-*, ERR-05; OPEN-28…36; execution-apis for all they leave open.
 *
 * @throws JsonRpcError -32602, -32001 (profile `base`: -32000), and -38010 to -38026 for the whole simulation
 */
export const ethSimulateV1: NodeMethod = async (rpc, params, { signal }) => {
  const [simulationPayload, blockParameter] = positional(params)
  const base = baseBlock(rpc, simulationPayload, blockParameter)
  const text = await rpc.runner.simulate(
    {
      config: rpc.config,
      base: { header: base.header, hash: isSealed(base) ? base.hash : headerHash(base.header) },
      payload: simulationPayload,
      times: timesOf(rpc),
      gasCap: RPC_GAS_CAP,
      profile: rpc.profile,
    },
    signal,
  )
  return new JsonText(text)
}

/** @throws JsonRpcError what is wrong with the payload, before what is wrong with the block */
function baseBlock(rpc: NodeRpc, payload: unknown, blockParameter: unknown): ReadableBlock {
  try {
    const selector = parseRequiredStateSelector(blockParameter, 'blockParameter', rpc.profile)
    return requireBaseBlock(rpc, selector)
  } catch (error) {
    parseSimulation(payload)
    throw error
  }
}

function timesOf(rpc: NodeRpc): BlockTimes {
  const { number, timestamp } = firstBlock(rpc)!.header
  const { blockTime, config } = rpc
  const { upgrades } = config
  const genesis = { l2: { number: Number(number) }, l2Time: Number(timestamp) }
  return { genesis, blockTime, ...(upgrades && { upgrades }) }
}

/** @throws JsonRpcError -32001; in profile `base` -32000, as execution-apis */
function requireBaseBlock(rpc: NodeRpc, selector: BlockSelector): ReadableBlock {
  const isKnown = findBlock(rpc, selector) !== undefined
  if (isKnown || rpc.profile.simulateUnknownBlock === '-32001 block not found') {
    return requireBlock(rpc, selector)
  }
  throw new JsonRpcError(-32000, 'header not found')
}
