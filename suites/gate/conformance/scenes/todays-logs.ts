import { notApplicable } from '../case-failure.ts'
import type { CaseContext, Scene } from '../conformance-case.ts'
import { expectHash } from '../matchers/expect-hex.ts'
import type { JsonObject } from '../matchers/expect-shape.ts'
import { encodeLogEntries } from '../probes/contracts.ts'
import { toWord } from '../reads/eth-call.ts'
import { getBlock } from '../reads/get-block.ts'
import { getLogs } from '../reads/get-logs.ts'
import type { Hex } from '../wire/hex.ts'
import { probeContracts } from './probe-contracts.ts'
import { blockOfToday } from './todays-blocks.ts'

const TOPIC = toWord(0x70da7)
/** Half a minute of the chain, for who may only read. */
const LOOK_BACK = 150n

/** A block of 200 ms with a log in it, and what finds that log. */
export interface TodaysLogs {
  block: JsonObject
  filter: JsonObject
  transactionHash: Hex
}

/** Makes a log, or finds one that somebody else made where the gate may not send. */
export const todaysLogs: Scene<TodaysLogs> = {
  name: 'a log in a block of 200 ms',
  kind: 'observation',
  async build(t) {
    const { height } = await blockOfToday(t)
    const { driver, rpc } = t
    if (driver.onlyReads) return findLog(t, height)
    const { logOther } = await t.scene(probeContracts)
    const data = encodeLogEntries([{ topics: [TOPIC], data: '0x' }])
    const { blockNumber, hash } = await driver.sealed(
      await driver.send({ account: 1, to: logOther, data }),
    )
    const block = await getBlock(rpc, blockNumber, true)
    return { block, filter: { blockHash: block.hash, topics: [TOPIC] }, transactionHash: hash }
  },
}

async function findLog({ rpc }: CaseContext, height: bigint): Promise<TodaysLogs> {
  const fromBlock = `0x${(height - LOOK_BACK > 0n ? height - LOOK_BACK : 0n).toString(16)}`
  const toBlock = `0x${height.toString(16)}`
  const log = (await getLogs(rpc, { fromBlock, toBlock })).at(-1)
  if (!log) notApplicable(`The newest ${LOOK_BACK} blocks have no logs.`)
  const block = await getBlock(rpc, BigInt(String(log.blockNumber)), true)
  const transactionHash = expectHash(log.transactionHash, 'log.transactionHash')
  return { block, filter: { blockHash: block.hash, address: log.address }, transactionHash }
}
