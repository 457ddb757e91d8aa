import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { OwnedResource } from '#devnet/base/process/owned-resource'
import { makeRunFolder } from '#devnet/base/process/run-folder'
import { genesisBalance, l1ChainId } from '#fixtures/chain/constants'
import { roleKeys, testMnemonic, userKeys } from '#fixtures/chain/dev-keys'
import type { Clock } from '#protocol/clock/clock'
import type { Address, Hash } from '#protocol/types/bytes'
import { AnvilProcess } from './anvil-process.ts'
import type { L1Record } from './archive/l1-record.ts'
import { BLOCKS_REMEMBERED } from './blocks-remembered.ts'
import { closedAddress } from './closed-address.ts'
import { IpcClient } from './ipc/ipc-client.ts'
import { l1Alloc } from './l1-alloc.ts'
import { NextTimestamp } from './next-timestamp.ts'
import { paceSlots, type SlotPace } from './pace-slots.ts'
import { type ServeL1Options, serveL1 } from './serve-l1.ts'
import { BY_HAND, timeJumps } from './time-jumps.ts'

/**
 * As deep as L1 can be asked about its past, and be reorganised by a test or a fault. In each state anvil
 * keeps the hashes of all blocks before it: 64 states made it 260 MB after 16,000 blocks, 8 made it 90.
 */
const STATES_REMEMBERED = 20

/** L2's newest block has the origin that was known when it was begun, a block time ago. */
const USUALLY_BEHIND = 2

export interface StartL1Parameters extends ServeL1Options {
  /** Seconds; the timestamp of block 0. */
  genesisTime: number
  chainId?: number
  /**
   * Seconds between blocks mined on the clock, 2 by default; 0: only `mine()` makes blocks. Who moves
   * L1's clock (`evm_increaseTime`, `evm_setNextBlockTimestamp`) moves all blocks that follow.
   */
  blockTime?: number
  /** No block comes on the clock before the first of `mineAhead`: that is to be block 1. */
  waits?: boolean
  /** Its first ten accounts are funded. */
  mnemonic?: string
  /** Funded beside them; the devnet's roles by default. */
  funded?: readonly Address[]
  /** Number of the newest block that L2 has taken, once there is an L2. */
  takenByL2?(): number | undefined
  /** anvil's `safe` is this many blocks behind its head, `finalized` twice as many. */
  slotsInAnEpoch?: number
  /** Where anvil's socket may lie, open to its owner alone; a folder of its own by default. */
  workDir?: string
  binary?: string
  logger?: Logger
}

export interface L1BlockRef {
  number: bigint
  hash: Hash
  /** Seconds. */
  timestamp: number
}

export interface L1 extends OwnedResource {
  /** Where callers come. */
  readonly url: string
  /** Where the devnet's own parts find it. */
  readonly rpcUrl: string
  readonly beaconUrl: string
  readonly pid: number
  /** Resolves with how anvil ended, for whatever reason. */
  readonly exited: Promise<string>
  /**
   * Mines one block after those already asked for. Without a timestamp (seconds) it gets the clock's
   * time, and in any case a later one than its parent.
   * @throws L1_NOT_WRITTEN while the disk does not take the block before
   */
  mine(timestamp?: number): Promise<L1BlockRef>
  /**
   * Mines the block of the next slot now, however far off that is, and none when it comes: what cannot
   * wait is on L1 at once, and each slot still has one block. As `mine` where L1 has no slots.
   */
  mineAhead(): Promise<L1BlockRef>
  /** Has `listener` called when L1's head is another block. Returns how to end that. */
  onBlock(listener: () => void): () => void
  /** From here on no slot has a block. Returns how to go on. */
  hold(): () => void
  /** From here on the beacon API hands out other blobs than were posted. Returns how to end that. */
  lieAboutBlobs(): () => void
  /** Resolves when every block that fell due on the clock is mined. */
  idle(): Promise<void>
}

/**
 * Starts anvil as L1. Blocks are mined by us on `clock`, so a virtual clock drives L1 too. anvil asks
 * nobody who he is, so it is spoken to over a UNIX socket in a folder of this user; the TCP port that it
 * cannot do without is where nobody gets, where the system has such a place (`closedAddress`).
 * @throws ANVIL_MISSING, ANVIL_FAILED, PORT_BUSY, LISTEN_FAILED
 * @example
 * const l1 = await startL1({ clock: systemClock, genesisTime: 1_700_000_000 })
 * await l1.mine()
 * await l1.stop()
 */
export async function startL1(parameters: StartL1Parameters): Promise<L1> {
  const { clock, genesisTime, blockTime = 2, record, supervisor, logger } = parameters
  const own = parameters.workDir === undefined ? makeRunFolder() : undefined
  const folder = parameters.workDir ?? own!
  const socket = join(folder, 'anvil.sock')
  const removeOwn = () => own && rmSync(own, { recursive: true, force: true })
  const anvil = await startAnvil(folder, socket, parameters).catch((error) => {
    removeOwn()
    throw error
  })
  const client = new IpcClient(socket)
  const nextTimestamp = new NextTimestamp()
  const served = await serveL1(socket, parameters, {
    onCheat: (method, params) => nextTimestamp.heard(method, params),
    onWaits(reason) {
      // An anvil that has ended is told elsewhere.
      if (anvil.state !== 'started') return
      supervisor?.wait(
        'L1 chain',
        reason && `${reason.message} It mines nothing until there is room.`,
      )
    },
  }).catch(async (error) => {
    await anvil.stop()
    removeOwn()
    throw error
  })

  let queue: Promise<unknown> = Promise.resolve()
  let pace: SlotPace | undefined
  let holds = 0
  const jumpedBefore = jumpedIn(record, blockTime)
  const jumps = timeJumps(client, jumpedBefore)

  async function latest(): Promise<L1BlockRef> {
    return blockRef(await client.request('eth_getBlockByNumber', ['latest', false]))
  }

  /** Unless the next block was given a time: then it has that, and the slots are moved by as much. */
  async function mineDue(due: number): Promise<L1BlockRef> {
    const given = nextTimestamp.take()
    if (given !== undefined) jumps.move(given - due)
    return await mineNow(given ?? due)
  }

  async function mineNow(wanted: number): Promise<L1BlockRef> {
    // Asked for each time: a test may have reverted or reorganised the chain.
    const parent = await latest()
    const timestamp = Math.max(wanted, parent.timestamp + 1)
    await client.request('evm_mine', [{ timestamp }])
    const block = await latest()
    await jumps.mined(block.hash)
    return block
  }

  function mine(timestamp?: number): Promise<L1BlockRef> {
    const now = seconds(clock)
    return inTurn(() => (timestamp === undefined ? mineDue(now) : mineNow(timestamp)))
  }

  function mineAhead(): Promise<L1BlockRef> {
    if (!pace) return mine()
    const slot = pace.take()
    return inTurn(async () => mineDue(await dueIn(slot, (await latest()).hash)))
  }

  function inTurn(work: () => Promise<L1BlockRef>): Promise<L1BlockRef> {
    // Whoever asked for the block may go on before it is archived.
    const { promise, resolve, reject } = Promise.withResolvers<L1BlockRef>()
    const make = async () => resolve(await work())
    queue = queue.then(() => served.archiveAfter(make)).catch(reject)
    return promise
  }

  /** Seconds: the time of a slot's block upon this head. */
  async function dueIn(slot: number, head: Hash): Promise<number> {
    return genesisTime + slot * blockTime + (await jumps.measure(head))
  }

  /**
   * L2 takes one origin in a block. What it once missed, on a machine that was too busy or because
   * blocks were mined by hand, it would miss for ever: one slot in four is left out until it is near.
   */
  async function mineSlot(slot: number): Promise<void> {
    const { number, hash } = await latest()
    const behind = Number(number) - (parameters.takenByL2?.() ?? Number(number))
    if ((number >= slot || behind > USUALLY_BEHIND) && slot % 4 === 0) return
    await mineDue(await dueIn(slot, hash))
  }

  function hold(): () => void {
    holds += 1
    let isOver = false
    return () => {
      if (!isOver) holds -= 1
      isOver = true
    }
  }

  function onSlot(slot: number): void {
    if (holds > 0) return
    queue = queue
      .then(() => served.archiveAfter(() => mineSlot(slot)))
      .catch((error) => {
        // Told once, by the supervisor; the slot has no block.
        if (Object(error).code === 'L1_NOT_WRITTEN') return
        if (anvil.state === 'started') logger?.error(error, 'L1 block not mined')
        else pace?.cancel()
      })
  }

  let stopping: Promise<void> | undefined
  async function stopAll(): Promise<void> {
    pace?.cancel()
    await anvil.stop()
    await served.stop()
    await client.stop()
    removeOwn()
  }
  const stop = () => {
    stopping ??= stopAll()
    return stopping
  }

  try {
    // The dump that L1 goes on from has them.
    const isBuilt = record && (await served.archiveAfter(() => record.rebuild(client)))
    if (!isBuilt) await fund()
  } catch (error) {
    await stop()
    throw error
  }

  async function fund(): Promise<void> {
    const funded = parameters.funded ?? Object.values(roleKeys).map(({ address }) => address)
    const balance = `0x${genesisBalance.toString(16)}`
    await Promise.all([
      ...funded.map((address) => client.request('anvil_setBalance', [address, balance])),
      ...Object.entries(l1Alloc()).map(([address, account]) =>
        account.code
          ? client.request('anvil_setCode', [address, account.code])
          : client.request('anvil_setBalance', [address, `0x${account.balance?.toString(16)}`]),
      ),
    ])
  }
  if (blockTime > 0) {
    const began = (record?.head?.timestamp ?? genesisTime) - jumpedBefore - genesisTime
    const last = Math.floor(began / blockTime)
    const { waits = false } = parameters
    pace = paceSlots({ clock, genesisTime, slotTime: blockTime, last, waits, onSlot })
  }

  return {
    url: served.url,
    rpcUrl: served.ownUrl,
    beaconUrl: served.ownUrl,
    pid: anvil.pid ?? 0,
    exited: anvil.exited,
    mine,
    mineAhead,
    onBlock: served.onBlock,
    hold,
    lieAboutBlobs: served.lieAboutBlobs,
    idle: async () => {
      await queue
      await served.idle()
    },
    stop,
  }
}

/** @throws ANVIL_MISSING, ANVIL_FAILED */
async function startAnvil(
  folder: string,
  socket: string,
  parameters: StartL1Parameters,
): Promise<AnvilProcess> {
  const state = join(folder, 'l1-state.json')
  const hasState = await parameters.record?.writeState(state)
  const anvil = new AnvilProcess(
    {
      host: await closedAddress(),
      port: 0,
      noCors: true,
      ipc: socket,
      ...(hasState && { loadState: state }),
      chainId: parameters.chainId ?? l1ChainId,
      timestamp: parameters.genesisTime,
      hardfork: 'prague',
      noMining: true,
      order: 'fifo',
      gasLimit: 60_000_000,
      accounts: userKeys.length,
      mnemonic: parameters.mnemonic ?? testMnemonic,
      slotsInAnEpoch: parameters.slotsInAnEpoch ?? 2,
      noRequestSizeLimit: true,
      // A state takes some 2 MB once L1 has 8,191 blocks (EIP-2935); the newest stay, in memory.
      pruneHistory: STATES_REMEMBERED,
      transactionBlockKeeper: BLOCKS_REMEMBERED,
    },
    parameters.binary,
    parameters.logger,
  )
  await anvil.start().finally(() => rmSync(state, { force: true }))
  chmodSync(socket, 0o600)
  return anvil
}

/** Slots that L1 may be ahead by blocks that could not wait. */
const USUALLY_AHEAD = 3

/** Seconds that L1 was ahead of the devnet's clock when it was left, by what somebody told it. */
function jumpedIn(record: L1Record | undefined, blockTime: number): number {
  const head = record?.head
  const ahead = head ? Math.floor(head.timestamp - head.clock / 1000) : 0
  return Math.abs(ahead) > Math.max(BY_HAND, USUALLY_AHEAD * blockTime) ? ahead : 0
}

function seconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000)
}

function blockRef(block: unknown): L1BlockRef {
  const { number, hash, timestamp } = block as { number: string; hash: Hash; timestamp: string }
  return { number: BigInt(number), hash, timestamp: Number(timestamp) }
}
