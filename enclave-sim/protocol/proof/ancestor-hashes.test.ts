import { beforeEach, describe, expect, it } from 'vitest'
import { encodeHeader, headerHash } from '../execution/header.ts'
import { keccakKey } from '../oracle/preimage-key.ts'
import { type RecordingOracle, recordingOracle } from '../oracle/recording-oracle.ts'
import { verifiedOracle } from '../oracle/verified-oracle.ts'
import type { Header } from '../types/block.ts'
import type { Hash } from '../types/bytes.ts'
import { AncestorHashes } from './ancestor-hashes.ts'

const TIP = 300
const zero = `0x${'00'.repeat(32)}` as const

/** Headers 0..TIP that matter only by number and parent. */
const headers: Header[] = []
for (let number = 0; number <= TIP; number++) {
  headers.push({
    parentHash: number === 0 ? zero : headerHash(headers[number - 1]!),
    sha3Uncles: zero,
    miner: `0x${'00'.repeat(20)}`,
    stateRoot: zero,
    transactionsRoot: zero,
    receiptsRoot: zero,
    logsBloom: `0x${'00'.repeat(256)}`,
    difficulty: 0n,
    number: BigInt(number),
    gasLimit: 0n,
    gasUsed: 0n,
    timestamp: 0n,
    extraData: '0x',
    mixHash: zero,
    nonce: '0x0000000000000000',
    baseFeePerGas: 0n,
    withdrawalsRoot: zero,
    blobGasUsed: 0n,
    excessBlobGas: 0n,
    parentBeaconBlockRoot: zero,
    requestsHash: zero,
  })
}
const hashes: Hash[] = headers.map(headerHash)

describe('AncestorHashes', () => {
  let oracle: RecordingOracle
  let ancestors: AncestorHashes

  beforeEach(() => {
    const preimages = headers.map((header, number) => ({
      key: keccakKey(hashes[number]!),
      value: encodeHeader(header),
    }))
    oracle = recordingOracle(verifiedOracle(preimages))
    ancestors = new AncestorHashes(oracle, { number: BigInt(TIP), hash: hashes[TIP]! })
  })

  it('given the tip, when asked for it, then no header is read', async () => {
    expect(await ancestors.at(300n)).toBe(hashes[300])
    expect(oracle.preimages()).toHaveLength(0)
  })

  it('given an older block, when asked twice, then the headers down to it are read once', async () => {
    expect(await ancestors.at(297n)).toBe(hashes[297])
    expect(await ancestors.at(298n)).toBe(hashes[298])
    expect(oracle.preimages()).toHaveLength(3)
  })

  it('given the 256 newest, when asked for the oldest of them and the next, then only it is known', async () => {
    expect(await ancestors.at(45n)).toBe(hashes[45])
    expect(await ancestors.at(44n)).toBeUndefined()
  })

  it('given an executed block, when asked, then it is known and the window has moved', async () => {
    ancestors.append({ number: 301n, hash: zero })
    expect(await ancestors.at(301n)).toBe(zero)
    expect(await ancestors.at(302n)).toBeUndefined()
    expect(await ancestors.at(45n)).toBeUndefined()
    expect(await ancestors.at(46n)).toBe(hashes[46])
  })
})
