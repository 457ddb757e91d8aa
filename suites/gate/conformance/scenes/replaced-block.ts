import { sleep } from '#protocol/clock/clock'
import { cannotJudge, notApplicable } from '../case-failure.ts'
import type { CaseContext, Scene } from '../conformance-case.ts'
import { expectArray, expectObject, type JsonObject } from '../matchers/expect-shape.ts'
import { encodeLogEntries } from '../probes/contracts.ts'
import { toWord, words } from '../reads/eth-call.ts'
import { getLogs } from '../reads/get-logs.ts'
import { callResult } from '../reads/simulate.ts'
import { keccak256 } from '../spec/hash.ts'
import type { Hex } from '../wire/hex.ts'
import { probeContracts } from './probe-contracts.ts'
import { TRANSFER, X } from './sealed-history.ts'

/** How long a notification may take after what it tells of. */
const GRACE = 20_000
/** A block that is no longer the newest when the driver replaces that one stays; the next one is taken. */
const MOST_BLOCKS = 4
/** Logs in the block: each of them is taken out. */
export const LOGS = 3
/** What the slot holds once it is written. */
const WRITTEN = 0x5e

/** What a height has, as three questions tell it. */
interface AtHeight {
  /** With hashes of transactions, and with whole ones. */
  blocks: JsonObject[]
  logs: JsonObject[]
  /** What a slot holds: read, called, and simulated upon the height where that is served. */
  slot: unknown[]
  /** The block upon which a simulation begins; undefined where none is served. */
  base: unknown
}

/** A block with logs, before and after a reorganization put another one in its place. */
export interface ReplacedBlock {
  /** Hash of the block that was taken out, and of the one that is there instead. */
  oldHash: Hex
  newHash: unknown
  /** What a subscription to logs heard of its logs. */
  heard: JsonObject[]
  /** The same questions before and after. */
  before: AtHeight
  after: AtHeight
  /** What the slot holds at that height afterwards, by the receipt of what wrote it; zero before. */
  written: Hex
  /** Logs that a search of the whole chain finds afterwards. */
  found: JsonObject[]
  /** What pendingLogs, subscribed before, said of a log that was sent afterwards; undefined where it is not served. */
  streamedAfter: JsonObject[] | undefined
  /** What the chain does not get over. */
  damage: string | undefined
}

export const replacedBlock: Scene<ReplacedBlock> = {
  name: 'replaced block',
  kind: 'observation',
  async build(t) {
    const { driver, rpc, clock, signal } = t
    if (!driver.reorg) notApplicable('The driver cannot reorganize the chain.')
    const { logStream: address, store } = await t.scene(probeContracts)
    const socket = await t.subscribeTo()
    const { result: logStream } = await socket.call('eth_subscribe', ['logs', { address }])
    const { result: pendingStream } = await socket.call('eth_subscribe', [
      'pendingLogs',
      { address },
    ])
    const { result: headStream } = await socket.call('eth_subscribe', ['newHeads'])
    const sentBy = (stream: unknown) =>
      socket.notifications
        .filter((each) => each.subscription === stream)
        .map(({ result }) => expectObject(result, 'notification'))
    const within = (found: () => boolean) =>
      Promise.race([socket.until(found), sleep(clock, GRACE, signal)])
    const headsAt = (at: bigint) =>
      sentBy(headStream).filter(({ number }) => BigInt(String(number)) === at)

    const emit = (count: number) => {
      const data = encodeLogEntries(Array(count).fill({ topics: [TRANSFER, X], data: X }))
      return driver.send({ account: 4, to: address, data })
    }

    const replaceBlockOfLog = async (blocks: number) => {
      const hash = await emit(LOGS)
      const logs = () => sentBy(logStream).filter((log) => log.transactionHash === hash)
      const sealed = await driver.sealed(hash)
      await within(() => logs().length >= LOGS)
      const ofBlock = () => logs().filter(({ blockHash }) => blockHash === sealed.blockHash)
      // A slot of its own, as blocks are tried one after the other.
      const at = { height: sealed.blockNumber, address, store, slot: keccak256(hash) }
      const before = await readHeight(t, at)
      const heads = sentBy(headStream).length
      // Of the same transactions the same block may come about again.
      const write = await driver.send({ account: 4, to: store, data: words(at.slot, WRITTEN) })
      await driver.reorg!()
      const replaced = () =>
        sentBy(headStream)
          .slice(heads)
          .some(({ number }) => headsAt(BigInt(String(number))).length > 1)
      await within(replaced)
      if (headsAt(sealed.blockNumber).length > 1) {
        await within(() => ofBlock().length >= 2 * LOGS)
        return { at, write, sealed, before, heard: ofBlock() }
      }
      if (!replaced() || blocks >= MOST_BLOCKS)
        cannotJudge('The block of the log was not replaced.')
      return replaceBlockOfLog(blocks + 1)
    }
    const { at, write, sealed, before, heard } = await replaceBlockOfLog(1)
    const { blockNumber: wroteAt } = await driver.sealed(write)
    const last = await emit(1)
    const ofLast = () => sentBy(pendingStream).filter((log) => log.transactionHash === last)
    await driver.sealed(last)
    const isStreamed = pendingStream !== undefined
    if (isStreamed) await within(() => ofLast().length > 0)
    return {
      streamedAfter: isStreamed ? ofLast() : undefined,
      oldHash: sealed.blockHash,
      newHash: headsAt(sealed.blockNumber).at(-1)?.hash,
      heard,
      before,
      after: await readHeight(t, at),
      written: toWord(wroteAt <= at.height ? WRITTEN : 0),
      found: await getLogs(rpc, { address, fromBlock: 'earliest' }),
      damage: await driver.damage?.(),
    }
  },
}

async function readHeight(
  { rpc }: CaseContext,
  { height: at, address, store, slot }: { height: bigint; address: Hex; store: Hex; slot: Hex },
): Promise<AtHeight> {
  const height = `0x${at.toString(16)}`
  const blocks = [false, true].map(async (whole) =>
    expectObject(await rpc.result('eth_getBlockByNumber', [height, whole]), `block ${height}`),
  )
  const read = { to: store, data: slot }
  const { body } = await rpc.call('eth_simulateV1', [
    { blockStateCalls: [{ calls: [read] }] },
    height,
  ])
  // Not every chain that can be reorganized simulates.
  const [simulated] = 'result' in body ? expectArray(body.result, 'result') : []
  const block = simulated === undefined ? undefined : expectObject(simulated, 'result[0]')
  return {
    blocks: await Promise.all(blocks),
    logs: await getLogs(rpc, { address, fromBlock: height, toBlock: height }),
    slot: [
      await rpc.result('eth_getStorageAt', [store, slot, height]),
      await rpc.result('eth_call', [read, height]),
      ...(block ? [callResult(block, 0).returnData] : []),
    ],
    base: block?.parentHash,
  }
}
