import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { damaged } from '#devnet/base/process/kept-errors'
import { l1ContractAddresses } from '#devnet/l1/l1-contract-addresses'
import { decodeBlockRecord } from '#devnet/l2/node/chain/block-record'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { BegunDevnet } from './begun-devnet.ts'
import { STATE_FILES } from './state-files.ts'
import { damagedMarker } from './state-marker.ts'

/**
 * Holds what a devnet began with against itself and against the chains in its databases, and these against
 * being without gaps.
 * @throws RollbedError STATE_DAMAGED
 */
export function holdAgainstChains(
  folder: string,
  begun: BegunDevnet,
  marker: string = STATE_FILES.settings,
): void {
  const path = (name: 'l1' | 'l2') => join(folder, STATE_FILES[name])
  const { config, contracts, l1GenesisTime, l1BlockTime } = begun
  const { l1, l2, l2Time } = config.genesis
  const first = firstL2Block(path('l2'))
  const l1Hash = hashOnL1(path('l1'), l1.number)
  const pairs: [name: string, said: unknown, is: unknown][] = [
    ['contracts', contracts, l1ContractAddresses(roleKeys.deployer.address, !!config.journal)],
    ['config.depositContractAddress', config.depositContractAddress, contracts.optimismPortal],
    ['config.l1SystemConfigAddress', config.l1SystemConfigAddress, contracts.systemConfig],
    ['config.batchInboxAddress', config.batchInboxAddress, contracts.batchInbox],
    ['config.genesis.l2.hash', l2.hash, first.hash],
    ['config.genesis.l2Time', l2Time, Number(first.header.timestamp)],
    ['config.genesis.l1.hash', l1.hash, l1Hash ?? l1.hash],
    // L2 begins with the first block after L1's.
    ['l1GenesisTime', l1GenesisTime, l2Time - l1BlockTime],
  ]
  const wrong = pairs.find(([, said, is]) => !isDeepStrictEqual(said, is))
  if (!wrong) return
  const [name, said, is] = wrong
  throw damagedMarker(
    join(folder, marker),
    `${name} is ${textOf(said)}, and its chains say ${textOf(is)}`,
  )
}

/** @throws RollbedError STATE_DAMAGED where a block is missing */
function firstL2Block(path: string) {
  return withReadOnly(path, (sql) => {
    const { count, newest } = sql
      .prepare('SELECT count(*) AS count, max(number) AS newest FROM block')
      .get()!
    if (count === 0) throw damaged(path, 'it has no block')
    if (Number(count) !== Number(newest) + 1)
      throw damaged(path, `it has ${count} blocks, and the newest is ${newest}`)
    const { hash, record } = sql.prepare('SELECT hash, record FROM block WHERE number = 0').get()!
    const block = decodeBlockRecord(record as Uint8Array)
    if (block.hash !== bytesToHex(hash as Uint8Array))
      throw damaged(path, 'block 0 has another hash')
    return block
  })
}

/** Undefined where the archive has forgotten that block. */
function hashOnL1(path: string, number: number): unknown {
  return withReadOnly(path, (sql) => {
    return sql.prepare('SELECT hash FROM block WHERE number = ?').get(number)?.hash
  })
}

function withReadOnly<T>(path: string, read: (sql: DatabaseSync) => T): T {
  const sql = new DatabaseSync(path, { readOnly: true })
  try {
    return read(sql)
  } finally {
    sql.close()
  }
}

const textOf = (value: unknown) =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)
