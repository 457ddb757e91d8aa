import { bigIntMin } from '@ethereumjs/util'
import type { RpcMethod } from '#devnet/base/json-rpc/json-rpc-server'
import { parseQuantity } from '#devnet/base/json-rpc/params/parse-quantity'
import { positional } from '#devnet/base/json-rpc/params/positional'
import { toQuantity } from '#devnet/l2/node/rpc/json/hex'
import { nodeMethods } from '#devnet/l2/node/rpc/node-methods'
import { createInlineRunners } from '#devnet/l2/node/rpc/runners/create-inline-runners'
import type { Clock } from '#protocol/clock/clock'
import type { Engine } from '#protocol/evm/engine'
import { createL1CallExecutor } from './l1-machine.ts'
import type { SimulatedL1 } from './simulated-l1.ts'

/** What wallets offer where nobody pays more; wei. As anvil. */
const TIP = 1_000_000_000n

/**
 * The JSON-RPC face of a simulated L1: that of our node, but for what only OP chains have, and with the
 * methods of anvil that parts of the devnet use.
 * @param engine for calls; nothing else uses it. Default: a fresh one
 */
export async function l1Methods(
  l1: SimulatedL1,
  clock: Clock,
  engine?: Engine,
): Promise<Record<string, RpcMethod>> {
  const config = { chainId: l1.chainId, fork: 'isthmus' } as const
  const makeExecutor = (own?: Engine) => createL1CallExecutor(l1.chainId, own)
  const runners = await createInlineRunners(l1, config, makeExecutor, engine)
  const methods = nodeMethods({
    chain: l1,
    config,
    ...runners,
    clock,
    preconfirmations: false,
    // As L1 nodes: a call may create.
    profile: 'base',
  })
  const feeHistory = (count: bigint, newest: bigint) => {
    const first = newest - count + 1n
    const oldest = first > 0n ? first : 0n
    const headers = []
    for (let number = oldest; number <= newest; number++) {
      headers.push(l1.blockByNumber(number)!.header)
    }
    const after = l1.blockByNumber(newest + 1n)?.header.baseFeePerGas ?? l1.nextBaseFee()
    const ones = [...headers, after].map(() => '0x1')
    return {
      oldestBlock: toQuantity(oldest),
      baseFeePerGas: [...headers.map((header) => header.baseFeePerGas), after].map(toQuantity),
      gasUsedRatio: headers.map(({ gasUsed, gasLimit }) => Number(gasUsed) / Number(gasLimit)),
      baseFeePerBlobGas: ones,
      blobGasUsedRatio: headers.map(() => 0),
    }
  }
  return {
    ...methods,
    web3_clientVersion: () => 'rollbed/simulated-l1',
    eth_gasPrice: () => toQuantity(l1.nextBaseFee() + TIP),
    eth_maxPriorityFeePerGas: () => toQuantity(TIP),
    eth_feeHistory(params) {
      const [count, newest] = positional(params)
      const latest = l1.latest().header.number
      const isNumber = typeof newest === 'string' && newest.startsWith('0x')
      const last = isNumber ? parseQuantity(newest, 'newestBlock', 64) : latest
      const wanted = typeof count === 'number' ? BigInt(count) : parseQuantity(count, 'count', 64)
      return feeHistory(wanted, bigIntMin(last, latest))
    },
    async evm_mine(params) {
      const [wanted] = positional(params)
      const timestamp = Object(wanted).timestamp ?? wanted
      await l1.mine(timestamp === undefined ? undefined : Number(timestamp))
      return '0x0'
    },
    async anvil_reorg(params) {
      const [depth] = positional(params)
      await l1.reorg({ depth: Number(depth), keep: false })
      return null
    },
  }
}
