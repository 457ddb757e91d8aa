import { sleep } from '#protocol/clock/clock'
import { cannotJudge, notApplicable } from '../case-failure.ts'
import type { CaseContext, Scene } from '../conformance-case.ts'
import { expectObject, type JsonObject } from '../matchers/expect-shape.ts'
import { encodeLogEntries } from '../probes/contracts.ts'
import { getLogs } from '../reads/get-logs.ts'
import type { Hex } from '../wire/hex.ts'
import { probeContracts } from './probe-contracts.ts'
import { TRANSFER, X } from './sealed-history.ts'

/** How long a notification may take after what it tells of. */
const GRACE = 20_000
/** A block that is no longer the newest when the driver replaces that one stays; the next one is taken. */
const MOST_BLOCKS = 4

/** What a height has, as three questions tell it. */
interface AtHeight {
  /** With hashes of transactions, and with whole ones. */
  blocks: JsonObject[]
  logs: JsonObject[]
}

/** A block with a log, before and after a reorganization put another one in its place. */
export interface ReplacedBlock {
  /** Hash of the block that was taken out, and of the one that is there instead. */
  oldHash: Hex
  newHash: unknown
  /** What a subscription to logs heard of the log. */
  heard: JsonObject[]
  /** The same questions before and after. */
  before: AtHeight
  after: AtHeight
  /** Logs that a search of the whole chain finds afterwards. */
  found: JsonObject[]
  /** What the chain does not get over. */
  damage: string | undefined
}

export const replacedBlock: Scene<ReplacedBlock> = {
  name: 'replaced block',
  kind: 'observation',
  async build(t) {
    const { driver, rpc, clock, signal } = t
    if (!driver.reorg) notApplicable('The driver cannot reorganize the chain.')
    const address = (await t.scene(probeContracts)).logStream
    const socket = await t.subscribeTo()
    const { result: logStream } = await socket.call('eth_subscribe', ['logs', { address }])
    const { result: headStream } = await socket.call('eth_subscribe', ['newHeads'])
    const sentBy = (stream: unknown) =>
      socket.notifications
        .filter((each) => each.subscription === stream)
        .map(({ result }) => expectObject(result, 'notification'))
    const within = (found: () => boolean) =>
      Promise.race([socket.until(found), sleep(clock, GRACE, signal)])
    const headsAt = (at: bigint) =>
      sentBy(headStream).filter(({ number }) => BigInt(String(number)) === at)

    const replaceBlockOfLog = async (blocks: number) => {
      const data = encodeLogEntries([{ topics: [TRANSFER, X], data: X }])
      const emit = () => driver.send({ account: 4, to: address, data })
      const hash = await emit()
      const logs = () => sentBy(logStream).filter((log) => log.transactionHash === hash)
      const sealed = await driver.sealed(hash)
      await within(() => logs().length > 0)
      const before = await readHeight(t, sealed.blockNumber, address)
      const heads = sentBy(headStream).length
      // Of the same transactions the same block may come about again.
      await emit()
      await driver.reorg!()
      const replaced = () =>
        sentBy(headStream)
          .slice(heads)
          .some(({ number }) => headsAt(BigInt(String(number))).length > 1)
      await within(replaced)
      if (headsAt(sealed.blockNumber).length > 1) return { sealed, before, heard: logs() }
      if (!replaced() || blocks >= MOST_BLOCKS)
        cannotJudge('The block of the log was not replaced.')
      return replaceBlockOfLog(blocks + 1)
    }
    const { sealed, before, heard } = await replaceBlockOfLog(1)
    return {
      oldHash: sealed.blockHash,
      newHash: headsAt(sealed.blockNumber).at(-1)?.hash,
      heard,
      before,
      after: await readHeight(t, sealed.blockNumber, address),
      found: await getLogs(rpc, { address, fromBlock: 'earliest' }),
      damage: await driver.damage?.(),
    }
  },
}

async function readHeight({ rpc }: CaseContext, at: bigint, address: Hex): Promise<AtHeight> {
  const height = `0x${at.toString(16)}`
  const blocks = [false, true].map(async (whole) =>
    expectObject(await rpc.result('eth_getBlockByNumber', [height, whole]), `block ${height}`),
  )
  return {
    blocks: await Promise.all(blocks),
    logs: await getLogs(rpc, { address, fromBlock: height, toBlock: height }),
  }
}
