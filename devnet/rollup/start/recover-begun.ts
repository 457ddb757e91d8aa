import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync, inflateRawSync } from 'node:zlib'
import { decodeAbiParameters } from 'viem'
import type { WholeL1BlockJson } from '#devnet/l1/archive/l1-json'
import {
  bridgeContracts,
  l1ContractAddresses,
  proofContracts,
} from '#devnet/l1/l1-contract-addresses'
import { decodeBlockRecord } from '#devnet/l2/node/chain/block-record'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { configHash } from '#protocol/derivation/config-hash'
import type { Hash, Hex } from '#protocol/types/bytes'
import type { Fork } from '#protocol/types/execution-config'
import type { BegunDevnet } from './begun-devnet.ts'
import { STATE_FILES } from './state-files.ts'

const FORKS: readonly Fork[] = ['jovian', 'isthmus']
const DEPLOYER = roleKeys.deployer.address
/** The deployer's nonce when it made the contract that games are made of. */
const VERIFIER_NONCE = [...bridgeContracts, ...proofContracts].indexOf('aggregateVerifier')
/** The compiler puts the constructor first. */
const [{ inputs: VERIFIER_INPUTS }] = aggregateVerifierAbi
/** Of what that contract was made with, behind its code; hex digits. None of it has a length of its own. */
const VERIFIER_DIGITS = 12 * 64

/**
 * What a devnet of version 1 began with, where its marker is lost, from its databases: L1 has the
 * transactions that deployed its contracts, L2 its first block. The genesis is made again from that, and
 * its hash and that of the configuration, which a contract was deployed with, have to come out the same.
 * @throws Error that says what is missing, or does not fit
 */
export async function recoverBegun(folder: string): Promise<BegunDevnet> {
  const { l1Start, l1GenesisTime, imageHash, configHash: deployed, chainId } = readL1(folder)
  const { genesisHash, l2Time, blockTime } = readL2(folder)
  const contracts = l1ContractAddresses(DEPLOYER)
  const { rollupGenesis } = await import('../genesis/rollup-genesis.ts')
  const options = { l1Start, contracts, blockTime, l2ChainId: chainId }
  for (const fork of FORKS) {
    const { config, block } = await rollupGenesis({ ...options, fork })
    if (block.hash !== genesisHash || configHash(config) !== deployed) continue
    return { config, contracts, l1GenesisTime, l1BlockTime: l2Time - l1GenesisTime, imageHash }
  }
  throw new Error('the genesis that follows from its L1 is not that of its L2')
}

function readL1(folder: string) {
  return reading(join(folder, STATE_FILES.l1), (sql) => {
    const first = deploymentOf(sql, 0).block
    const { input } = deploymentOf(sql, VERIFIER_NONCE).transaction
    const args: Hex = `0x${input.slice(-VERIFIER_DIGITS)}`
    const [, , , , , imageHash, , configHash, chainId] = decodeAbiParameters(VERIFIER_INPUTS, args)
    const { hash, number, timestamp } = first
    return {
      l1Start: { hash, number: BigInt(number), timestamp: Number(timestamp) },
      l1GenesisTime: genesisTimeOf(sql),
      imageHash,
      configHash,
      chainId: Number(chainId),
    }
  })
}

/** The transaction of the deployer with this nonce, and its block. */
function deploymentOf(sql: DatabaseSync, nonce: number) {
  const blocks = sql.prepare('SELECT block FROM block WHERE block IS NOT NULL ORDER BY number')
  for (const { block: packed } of blocks.iterate()) {
    const block = JSON.parse(String(inflateRawSync(packed as Uint8Array))) as WholeL1BlockJson
    const transactions = block.transactions as unknown as { from: Hex; nonce: Hex; input: Hex }[]
    const transaction = transactions.find(
      (each) => each.from === DEPLOYER && Number(each.nonce) === nonce,
    )
    if (transaction) return { block, transaction }
  }
  throw new Error(`its L1 does not have transaction ${nonce} of the deployer`)
}

/** Of anvil's first block, whose body only a dump has. */
function genesisTimeOf(sql: DatabaseSync): number {
  const dump = sql.prepare('SELECT state FROM dump').get()
  if (!dump) throw new Error('its L1 was never dumped')
  const { blocks } = JSON.parse(String(gunzipSync(dump.state as Uint8Array))) as {
    blocks: { header: { number: Hex; timestamp: Hex } }[]
  }
  const first = blocks.find(({ header }) => Number(header.number) === 0)
  if (!first) throw new Error('the dump of its L1 has no first block')
  return Number(first.header.timestamp)
}

function readL2(folder: string): { genesisHash: Hash; l2Time: number; blockTime: number } {
  return reading(join(folder, STATE_FILES.l2), (sql) => {
    const rows = sql.prepare('SELECT record FROM block WHERE number < 2 ORDER BY number').all()
    const [genesis, next] = rows.map(({ record }) => decodeBlockRecord(record as Uint8Array))
    if (!genesis || !next) throw new Error('its L2 has no block after the first, so no block time')
    const l2Time = Number(genesis.header.timestamp)
    return { genesisHash: genesis.hash, l2Time, blockTime: Number(next.header.timestamp) - l2Time }
  })
}

function reading<T>(path: string, read: (sql: DatabaseSync) => T): T {
  const sql = new DatabaseSync(path, { readOnly: true })
  try {
    return read(sql)
  } finally {
    sql.close()
  }
}
