import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { CHAINS, type ChainName } from '#devnet/base/options/upgrade-options'
import { l1ContractAddresses } from '#devnet/l1/l1-contract-addresses'
import { paceSlots } from '#devnet/l1/pace-slots'
import { startL1Prefetch } from '#devnet/l2/node/sequencer/l1-prefetch'
import { startNode } from '#devnet/l2/node/start-node'
import type { PrunedStore } from '#devnet/l2/node/state/pruned-store'
import { rollupGenesis } from '#devnet/rollup/genesis/rollup-genesis'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { l2Parent } from '#protocol/derivation/l2-parent'
import { isDeposit } from '#protocol/types/transaction'
import { countStateValues } from '#suites/system/cadence/count-state-values'
import { generatedL1Block, l1Hash, portal } from '#suites/system/sequencer/generated-l1'
import { transfer } from '#suites/system/sequencer/transfer'
import { unsteadyClock } from './unsteady-clock.ts'

const GENESIS_TIME = 1_700_000_000
/** Blocks until L1 makes one final. */
const FINALITY_LAG = 30n
/** Seconds; of L1 and of L2. */
const BLOCK_TIME = 2

export interface VirtualSoakOptions {
  /** Of virtual time. */
  hours: number
  /** Milliseconds. */
  flashblockTime: number
  historyBlocks: number
  /** Of Base; default: that of the specification. */
  chain?: ChainName | undefined
  /** Milliseconds that the machine sleeps, half-way through each quarter. */
  sleep?: number
  onQuarter?(quarter: VirtualQuarter): void
}

/** How things stand at the end of a quarter. */
export interface VirtualQuarter {
  l1Blocks: number
  l2Blocks: number
  /** L1 blocks that L2 has not taken yet; at the worst moment of the quarter's last minute. */
  l1Lag: number
  /** Seconds that the newest L2 block is behind the clock. */
  behindClock: number
  /** Transactions in L2 blocks; that wait in the pool. */
  included: number
  pooled: number
  /** Values in the state store, beside those of the newest state, which grows by itself. */
  values: number
  /** After a collection, MB: objects, and what they hold outside the heap. */
  heap: number
  buffers: number
}

/**
 * The node with its real executor, the pacing of L1's slots and its prefetch, for hours of the
 * virtual clock of an unsteady machine. L1's blocks are made up; nobody waits for real time.
 */
export async function virtualSoak(options: VirtualSoakOptions): Promise<VirtualQuarter[]> {
  const { hours, flashblockTime, historyBlocks, chain: name, sleep = 0, onQuarter } = options
  const virtual = new VirtualClock(GENESIS_TIME * 1000)
  const clock = unsteadyClock(virtual)
  /** Seconds, by block number. */
  const l1Times = [GENESIS_TIME]
  const slots = paceSlots({
    clock,
    genesisTime: GENESIS_TIME,
    slotTime: BLOCK_TIME,
    onSlot: (slot) => l1Times.push(GENESIS_TIME + slot * BLOCK_TIME),
  })
  const contracts = { ...l1ContractAddresses(roleKeys.deployer.address), optimismPortal: portal }
  const origin = { number: 0n, hash: l1Hash(0n) }
  const genesis = await rollupGenesis({
    l1Start: { ...origin, timestamp: GENESIS_TIME },
    contracts,
    fork: 'jovian',
    blockTime: BLOCK_TIME,
    upgrades: name ? CHAINS[name] : {},
  })
  const l1View = await startL1Prefetch({
    fetchBlock: async (number) => {
      const timestamp = l1Times[Number(number)]
      return timestamp === undefined ? undefined : generatedL1Block(number, timestamp, [])
    },
    clock,
    origin,
  })
  const node = await startNode({
    config: genesis.config,
    genesis: genesis.block,
    store: genesis.store,
    l1RpcUrl: 'unused',
    l1View,
    clock,
    flashblockTime,
    historyBlocks,
  })
  const { chain } = node
  let included = 0
  let worstLag = 0
  chain.on('sealed', (block) => {
    included += block.transactions.filter((each) => !isDeposit(each)).length
    worstLag = Math.max(worstLag, l1Times.length - 1 - originOf(block))
    const final = chain.blockByNumber(block.header.number - FINALITY_LAG)
    if (final && block.header.number % 10n === 0n) chain.markFinalized(final)
  })
  const originOf = (block: Parameters<typeof l2Parent>[1]) =>
    Number(l2Parent(genesis.config, block).l1Origin.number)

  let sent = 0
  const quarters: VirtualQuarter[] = []
  const minutes = (hours * 60) / 4
  for (let quarter = 0; quarter < 4; quarter++) {
    for (let minute = 0; minute < minutes; minute++) {
      for (let i = 0; i < 3; i++, sent++) {
        await chain.submit(transfer(sent % 10, Math.floor(sent / 10), { value: BigInt(sent + 1) }))
      }
      if (sleep > 0 && minute === Math.floor(minutes / 2)) clock.sleep(sleep)
      if (minute === Math.ceil(minutes) - 1) worstLag = 0
      await virtual.advance(60_000)
    }
    const { header } = chain.latest()
    quarters.push({
      l1Blocks: l1Times.length - 1,
      l2Blocks: Number(header.number),
      l1Lag: worstLag,
      behindClock: clock.now() / 1000 - Number(header.timestamp),
      included,
      pooled: node.pool.size,
      values: (chain.store as PrunedStore).size - countStateValues(chain.store, header.stateRoot),
      ...memoryAfterCollection(),
    })
    onQuarter?.(quarters.at(-1)!)
  }
  slots.cancel()
  await l1View.stop()
  await node.stop()
  return quarters
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function memoryAfterCollection(): { heap: number; buffers: number } {
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return { heap: heapUsed / 1024 ** 2, buffers: arrayBuffers / 1024 ** 2 }
}
