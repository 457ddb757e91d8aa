import { toHex } from 'viem'
import { cannotJudge } from '../case-failure.ts'
import type { CaseContext, Scene } from '../conformance-case.ts'
import type { SealedTransaction } from '../drivers/driver.ts'
import type { JsonObject } from '../matchers/expect-shape.ts'
import { encodeLogEntries } from '../probes/contracts.ts'
import { toWord, words } from '../reads/eth-call.ts'
import { getBlock } from '../reads/get-block.ts'
import { isSealed } from '../reads/is-sealed.ts'
import { readAll } from '../reads/read-all.ts'
import type { Hex } from '../wire/hex.ts'
import type { RpcReply } from '../wire/json-rpc-client.ts'
import { type Listing, untilListed } from './listing.ts'
import { type Probes, probeContracts } from './probe-contracts.ts'
import { TRANSFER } from './sealed-history.ts'

/** The log and the write that the window's transactions make. */
export const MARK = toWord(0xbeef01)
export const EARLIER_MARK = toWord(0xbeef00)
export const PENDING_VALUE = 0x77n
/** An account that no chain has. */
const RICH_SENDER: Hex = `0x${'d8'.repeat(20)}`

/** What the target said while three known transactions were pre-confirmed and not yet sealed. */
export interface PreconfirmedWindow {
  /** How soon the log transaction was listed, the first of the three. */
  listing: Listing
  probes: Probes
  /** A sealed log of the same contract, in the block before. */
  earlier: Hex
  sent: { log: Hex; write: Hex; transfer: Hex }
  /** The sealed block under the pre-confirmed one. */
  before: JsonObject
  /** First pending block that listed the log transaction; undefined when none did in time. */
  first: JsonObject | undefined
  /** Whether all three were listed before the block was sealed. */
  complete: boolean
  /** Replies read together after all three were listed. */
  reads: Record<keyof ReturnType<typeof readsFor>, RpcReply>
  /** Where they were sealed, by the driver. */
  sealed: { log: SealedTransaction; write: SealedTransaction; transfer: SealedTransaction }
  /** The same height read from the target afterwards. */
  sealedBlock: JsonObject
}

/** A window in which the block was sealed before all was read tells nothing; another block follows. */
const LEAST_WINDOWS = 8
/** A busy machine needs many; milliseconds, within the time that a scene has. */
const PATIENCE = 75_000
/** So many in which the target left out what it had taken are no accident. */
const ENOUGH_WINDOWS = 2

/** Sends at the start of a block, reads before its end, looks again when it is sealed. */
export const preconfirmedWindow: Scene<PreconfirmedWindow> = {
  name: 'pre-confirmed window',
  kind: 'observation',
  async build(context) {
    const { clock } = context
    const until = clock.now() + PATIENCE
    let leftOut = 0
    let windows = 0
    while (windows < LEAST_WINDOWS || clock.now() < until) {
      windows += 1
      const { wasReadInTime, wasLeftOut, ...seen } = await openWindow(context)
      if (wasReadInTime && seen.complete) return seen
      // A block that is sealed too early says nothing; what is missing well before that does.
      if (wasLeftOut) leftOut += 1
      if (leftOut >= ENOUGH_WINDOWS) return seen
    }
    return cannotJudge(
      `The pre-confirmed block was sealed before it could be read, ${windows} times in a row: the line to the target, or this machine, is too slow.`,
    )
  },
}

async function openWindow(
  context: CaseContext,
): Promise<PreconfirmedWindow & { wasReadInTime: boolean; wasLeftOut: boolean }> {
  const { driver, rpc } = context
  const probes = await context.scene(probeContracts)
  const emit = (mark: Hex) =>
    driver.send({
      account: 2,
      to: probes.logPending,
      data: encodeLogEntries([{ topics: [TRANSFER, mark], data: mark }]),
    })
  // A sealed log of the same contract; once it is sealed, a new block has just begun.
  const earlier = await emit(EARLIER_MARK)
  const { blockNumber: earlierNumber } = await driver.sealed(earlier)
  const log = await emit(MARK)
  const first = await untilListed(context, [log])
  // A slot of this window's own: runs on one chain share the contract.
  const slot = BigInt(log)
  const [write, transfer] = await Promise.all([
    driver.send({ account: 2, to: probes.store, data: words(slot, PENDING_VALUE) }),
    driver.send({ account: 3, to: driver.accounts[2]!, value: 1n }),
  ])
  const all = await untilListed(context, [log, write, transfer])
  const complete = all.block !== undefined
  const reads = await readAll(
    rpc,
    readsFor(probes, toHex(earlierNumber), slot, driver.accounts[0]!),
  )
  const wasSealed = await isSealed(rpc, log)
  const [sealedLog, sealedWrite, sealedTransfer] = await Promise.all(
    [log, write, transfer].map((hash) => driver.sealed(hash)),
  )
  return {
    wasReadInTime: !wasSealed,
    wasLeftOut: first.listing.wasLeftOut || all.listing.wasLeftOut,
    probes,
    earlier,
    sent: { log, write, transfer },
    before: await getBlock(rpc, sealedLog!.blockNumber - 1n),
    first: first.block,
    listing: first.listing,
    complete,
    reads,
    sealed: { log: sealedLog!, write: sealedWrite!, transfer: sealedTransfer! },
    sealedBlock: await getBlock(rpc, sealedWrite!.blockNumber),
  }
}

function readsFor(probes: Probes, earlier: Hex, slot: bigint, sender: Hex) {
  const getSlot = { to: probes.store, data: toWord(slot) }
  const simulated = { blockStateCalls: [{ calls: [getSlot] }] }
  // The same beside all else that a call or a payload may have: none of it has to do with what is read.
  const fees = { gas: '0x186a0', maxFeePerGas: '0xba43b7400', maxPriorityFeePerGas: '0x0' }
  const paid = { ...getSlot, from: RICH_SENDER, ...fees }
  const first = {
    stateOverrides: { [RICH_SENDER]: { balance: '0xde0b6b3a7640000' } },
    blockOverrides: { timestamp: toHex(2n ** 33n) },
    calls: [paid, paid],
  }
  const atLength = { blockStateCalls: [first, { calls: [paid] }], traceTransfers: true }
  const validated = { ...atLength, validation: true }
  const address = probes.logPending
  const logs = (filter: Record<string, unknown>) =>
    ['eth_getLogs', [{ address, ...filter }]] as const
  return {
    latest: ['eth_getBlockByNumber', ['latest', false]],
    pending: ['eth_getBlockByNumber', ['pending', false]],
    pendingFull: ['eth_getBlockByNumber', ['pending', true]],
    logsPending: logs({ fromBlock: 'pending', toBlock: 'pending' }),
    logsFromPending: logs({ fromBlock: 'pending' }),
    logsFromPendingToLatest: logs({ fromBlock: 'pending', toBlock: 'latest' }),
    logsIntoPending: logs({ fromBlock: earlier, toBlock: 'pending' }),
    logsIntoPendingByTopic: logs({ fromBlock: earlier, toBlock: 'pending', topics: [null, MARK] }),
    logsDefaultEnd: logs({ fromBlock: earlier }),
    logsPendingByTopic: logs({ fromBlock: 'pending', toBlock: 'pending', topics: [null, MARK] }),
    logsPendingOther: logs({ fromBlock: 'pending', toBlock: 'pending', topics: [toWord(1)] }),
    callPending: ['eth_call', [getSlot, 'pending']],
    callPendingAtLength: ['eth_call', [{ ...getSlot, from: sender, gas: fees.gas }, 'pending']],
    callLatest: ['eth_call', [getSlot, 'latest']],
    contextPending: ['eth_call', [{ to: probes.context }, 'pending']],
    storagePending: ['eth_getStorageAt', [probes.store, toWord(slot), 'pending']],
    storageLatest: ['eth_getStorageAt', [probes.store, toWord(slot), 'latest']],
    simulatePending: ['eth_simulateV1', [simulated, 'pending']],
    simulatePendingAtLength: ['eth_simulateV1', [atLength, 'pending']],
    simulatePendingValidated: ['eth_simulateV1', [validated, 'pending']],
    simulateLatest: ['eth_simulateV1', [simulated, 'latest']],
    latestAgain: ['eth_getBlockByNumber', ['latest', false]],
  } as const satisfies Record<string, readonly [string, readonly unknown[]]>
}
