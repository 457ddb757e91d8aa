import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { nodeMethods } from '#devnet/l2/node/rpc/node-methods'
import { createInlineRunners } from '#devnet/l2/node/rpc/runners/create-inline-runners'
import { l2ChainId } from '#fixtures/chain/constants'
import { transfer } from '#suites/system/sequencer/transfer'
import { startVirtualNode } from '#suites/system/sequencer/virtual-node'

/**
 * `node old-node.ts PER_BLOCK MEMORY HISTORY [BLOCKS…]`: a node that keeps HISTORY blocks and MEMORY MiB of
 * them, with PER_BLOCK transactions in each and readers of old and new ones, on a virtual clock. Prints
 * what its memory holds after a collection when it has so many blocks: a line of JSON each.
 */

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Blocks until L1 makes one final. */
const FINALITY_LAG = 30n
const RECEIVER = `0x${'42'.repeat(20)}`

export interface OldNode {
  /** Its age. */
  blocks: number
  /** Bytes after a collection: of objects, and of what they hold outside the heap. */
  heap: number
  buffers: number
  /** Sealed blocks and pre-confirmed ones that are still held by somebody. */
  heldBlocks: number
  heldFlashblocks: number
}

const [perBlock, historyMemory, history, ...ages] = process.argv.slice(2).map(Number)
const USERS = 10
const { node, clock, flashblocks } = await startVirtualNode({
  manual: true,
  historyBlocks: history!,
  historyMemory: historyMemory!,
})
const { chain } = node
const config = { chainId: BigInt(l2ChainId), fork: 'jovian' } as const
const runners = await createInlineRunners(chain, config)
const methods = nodeMethods({ chain, config, ...runners, clock })
const { signal } = new AbortController()

const sealed: WeakRef<object>[] = []
const preconfirmed: WeakRef<object>[] = []
chain.on('flashblock', (pending) => preconfirmed.push(new WeakRef(pending)))
chain.on('sealed', (block) => {
  sealed.push(new WeakRef(block))
  const { header } = block
  const final = chain.blockByNumber(header.number - FINALITY_LAG)
  if (final) chain.markFinalized(final)
})

for (let block = 1; block <= Math.max(...ages); block++) {
  await produce(block)
  if (block % 4 === 0) await read(block)
  if (ages.includes(block)) await report(block)
}
await node.stop()

async function produce(block: number): Promise<void> {
  for (let i = 0; i < perBlock!; i++) {
    const sent = (block - 1) * perBlock! + i
    await chain.submit(
      transfer(sent % USERS, Math.floor(sent / USERS), { value: BigInt(sent + 1) }),
    )
  }
  await clock.advance(2_000)
  await node.flashblock()
  const { transactions } = await node.seal()
  if (transactions.length !== perBlock! + 1) throw new Error(`Block ${block} lacks transactions.`)
  // The test node keeps all of them.
  flashblocks.length = 0
}

/** What explorers and wallets ask, of blocks in memory and of ones that are on disk only. */
async function read(block: number): Promise<void> {
  const number = `0x${Math.max(1, block - ((block * 7) % (2 * history!))).toString(16)}`
  for (const [method, ...params] of [
    ['eth_getBlockByNumber', number, true],
    ['eth_getBlockByNumber', 'pending', false],
    ['eth_getBlockReceipts', number],
    ['eth_getLogs', { fromBlock: number, toBlock: 'latest' }],
    ['eth_getBalance', RECEIVER, 'latest'],
    ['eth_call', { to: RECEIVER }, 'pending'],
    ['eth_feeHistory', '0x20', 'latest', [50]],
  ]) {
    await methods[method as string]!(params, { signal })
  }
}

async function report(block: number): Promise<void> {
  // What was just made or read stays for the turn.
  await setImmediate()
  collect()
  const { heapUsed: heap, arrayBuffers: buffers } = process.memoryUsage()
  const held = (all: WeakRef<object>[]) => all.filter((each) => each.deref()).length
  const old: OldNode = {
    blocks: block,
    ...{ heap, buffers, heldBlocks: held(sealed), heldFlashblocks: held(preconfirmed) },
  }
  process.stdout.write(`${JSON.stringify(old)}\n`)
}
