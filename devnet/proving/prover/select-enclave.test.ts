import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { Address } from '#protocol/types/bytes'
import type { EnclaveClient } from './enclave-client.ts'
import { hostMetrics } from './host-metrics.ts'
import { selectEnclave, signerOf } from './select-enclave.ts'
import type { SignerRegistry } from './signer-registry.ts'
import { enclaveAccounts, keyedEnclave } from './testing/keyed-enclave.ts'

const signers = enclaveAccounts.map((account) => account.address.toLowerCase() as Address)

function registry(valid: readonly number[]) {
  const asked: Address[] = []
  const contract: SignerRegistry = {
    async isValidSigner(signer) {
      asked.push(signer)
      return valid.some((index) => signers[index] === signer)
    },
  }
  return { contract, asked }
}

function select(enclaves: EnclaveClient[], contract: SignerRegistry | undefined) {
  const lines: string[] = []
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  const cid = selectEnclave({
    enclaves,
    registry: contract,
    metrics: hostMetrics(),
    logger,
  }).then((one) => one.cid)
  return { cid, lines }
}

describe('selectEnclave', () => {
  it('given a public key, when its signer is named, then it is the Ethereum address (ROUTE-07)', async () => {
    expect(await signerOf(keyedEnclave(0))).toBe(signers[0])
  })

  it('given no registry, when selecting, then it is the first, unasked (ROUTE-11)', async () => {
    expect(await select([keyedEnclave(0, true), keyedEnclave(1)], undefined).cid).toBe(16)
  })

  it('given two valid enclaves, when selecting, then it is the first in order (ROUTE-03)', async () => {
    const { contract, asked } = registry([0, 1])
    expect(await select([keyedEnclave(1), keyedEnclave(0)], contract).cid).toBe(17)
    expect(asked).toEqual([signers[1]])
  })

  it('given an invalid first one, when selecting, then it is the second and the log says why (ROUTE-08, ROUTE-09)', async () => {
    const { contract, asked } = registry([1])
    const { cid, lines } = select([keyedEnclave(0), keyedEnclave(1)], contract)
    expect(await cid).toBe(17)
    expect(asked).toEqual([signers[0], signers[1]])
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!)).toMatchObject({
      msg: 'enclave skipped',
      cid: 16,
      signer: signers[0],
      reason: 'signer not valid in the registry',
    })
  })

  it('given a first one that is down, when selecting, then it is skipped (ROUTE-05)', async () => {
    const { contract, asked } = registry([0, 1])
    const { cid, lines } = select([keyedEnclave(0, true), keyedEnclave(1)], contract)
    expect(await cid).toBe(17)
    expect(asked).toEqual([signers[1]])
    expect(JSON.parse(lines[0]!)).toMatchObject({ cid: 16, reason: 'connect failed: refused' })
  })

  it('given none valid, when selecting, then -32001 names those that were asked about (ERR-10)', async () => {
    const { contract } = registry([])
    await expect(
      select([keyedEnclave(0), keyedEnclave(1, true), keyedEnclave(2)], contract).cid,
    ).rejects.toMatchObject({
      name: 'NoValidSigner',
      rpcCode: -32001,
      message: `no valid signer found among: [${signers[0]}, ${signers[2]}]`,
    })
  })

  it('given all down, when selecting, then -32001 with an empty list', async () => {
    const { contract } = registry([0])
    await expect(select([keyedEnclave(0, true)], contract).cid).rejects.toThrow(
      'no valid signer found among: []',
    )
  })

  it('given a registry that fails, when selecting, then the request fails at once (SAFE-10, OPEN-72…74)', async () => {
    const contract = { isValidSigner: () => Promise.reject(new Error('request timed out')) }
    await expect(select([keyedEnclave(0), keyedEnclave(1)], contract).cid).rejects.toMatchObject({
      rpcCode: -32001,
      message: `L1 RPC failed for signer ${enclaveAccounts[0]!.address}: request timed out`,
    })
  })

  it('given a registry that moves on, when selecting again, then the new enclave is taken (ROT-04)', async () => {
    const valid = [0, 1]
    const { contract } = registry(valid)
    const enclaves = [keyedEnclave(0), keyedEnclave(1)]
    expect(await select(enclaves, contract).cid).toBe(16)
    valid.shift()
    expect(await select(enclaves, contract).cid).toBe(17)
  })
})
