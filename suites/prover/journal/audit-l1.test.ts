import {
  concatHex,
  encodeFunctionData,
  type Hex,
  hexToBytes,
  keccak256,
  numberToHex,
  slice,
} from 'viem'
import { sign } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditInput } from '#devnet/actors/journal-audit/audit-input'
import { l1Client } from '#devnet/actors/l1-client'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { aggregateVerifierAbi } from '#fixtures/contracts/AggregateVerifier.abi'
import { disputeGameFactoryAbi } from '#fixtures/contracts/DisputeGameFactory.abi'
import { teeVerifierAbi } from '#fixtures/contracts/TEEVerifier.abi'
import { gamePlayer, registerEnclave, root } from '../contracts/play-game.ts'
import {
  blockInterval,
  configHash,
  genesisRoot,
  imageHash,
  type ProofStack,
  startProofStack,
} from '../contracts/proof-stack.ts'
import { enclave } from '../contracts/tee-journal.ts'

let stack: ProofStack
let player: ReturnType<typeof gamePlayer>
let game: Awaited<ReturnType<typeof player.create>>

beforeAll(async () => {
  stack = await startProofStack()
  await registerEnclave(stack)
  player = gamePlayer(stack)
  game = await player.create()
})

afterAll(() => stack?.l1.stop())

type Options = Partial<Parameters<typeof auditInput>[1]>

function audit(bytes: Hex, options: Options = {}) {
  const l1 = l1Client(httpRpcClient(stack.l1.rpcUrl))
  return auditInput({ bytes: hexToBytes(bytes) }, { known: {}, signers: [], l1, ...options })
}

const brokenRules = ({ claims }: Awaited<ReturnType<typeof audit>>) =>
  claims[0]!.checks.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule)

describe('auditing the transaction that created a game', () => {
  test('given its hash alone, then all that was signed comes from L1 and every rule passes', async () => {
    const result = await audit(game.receipt.transactionHash)
    const [claim] = result.claims
    expect(brokenRules(result)).toEqual([])
    expect(result).toMatchObject({ verdict: 'pass', notes: [] })
    expect(claim).toMatchObject({ signer: enclave.address, departures: [], subject: 'game' })
    const value = (name: string) => claim!.fields.find(({ field }) => field === name)?.value
    expect(value('proposer')).toBe(roleKeys.proposer.address)
    expect(value('prevOutputRoot')).toBe(genesisRoot)
    expect(value('endingL2Block')).toBe(String(blockInterval))
    expect(value('intermediateRoots[1]')).toBe(root(2))
    expect(value('configHash')).toBe(configHash)
    const rules = claim!.checks.map(({ rule }) => rule)
    expect(rules).toEqual(expect.arrayContaining(['SIG-06', 'SIG-09', 'SIG-10', 'SIG-11']))
  })

  test('given a hash that L1 does not know, then it says so', async () => {
    await expect(audit(keccak256('0x'))).rejects.toMatchObject({ code: 'NO_SUCH_TRANSACTION' })
  })

  test('given a transaction that submits nothing, then it says what it is', async () => {
    const { transactionHash } = await stack.send(roleKeys.deployer, {
      address: stack.contracts.disputeGameFactory,
      abi: disputeGameFactoryAbi,
      functionName: 'setInitBond',
      args: [77, 1n],
    })
    await expect(audit(transactionHash)).rejects.toMatchObject({ code: 'CALLDATA_INVALID' })
  })

  test('given an L1 that is not there, then it says that', async () => {
    const l1 = l1Client(httpRpcClient('http://127.0.0.1:1'))
    await expect(audit(keccak256('0x'), { l1 })).rejects.toMatchObject({ code: 'RPC_UNREACHABLE' })
  })
})

describe('auditing calldata that L1 would refuse', () => {
  const proposer = roleKeys.proposer.address
  const to = () => ({ to: stack.contracts.disputeGameFactory, known: { proposer } })

  /** createWithInitData of a second game, signed over what `journal` makes of its fields. */
  async function calldata(journal: (l1Origin: Hex) => Hex): Promise<Hex> {
    const { call } = await player.creation({ roots: [root(8), root(9)] })
    const [type, claim, extraData, initData] = call.args
    const hash = keccak256(journal(slice(initData, 1, 33)))
    const signature = await sign({ hash, privateKey: enclave.privateKey, to: 'hex' })
    const args = [type, claim, extraData, concatHex([slice(initData, 0, 65), signature])] as const
    return encodeFunctionData({ ...call, args })
  }

  const packed = (l1Origin: Hex, size: number, image = imageHash) =>
    concatHex([
      proposer,
      l1Origin,
      genesisRoot,
      numberToHex(0, { size }),
      root(9),
      numberToHex(blockInterval, { size }),
      root(8),
      root(9),
      configHash,
      image,
    ])

  test('given block numbers in 32 bytes (base/base#1759), then one line names layout and signer', async () => {
    const result = await audit(await calldata((origin) => packed(origin, 32)), to())
    expect(result.claims[0]!.summary).toBe(
      `initData: fits a journal of 308 bytes with block numbers as 32-byte words, 244 + 32·N bytes (Base until May 2026, base/base#1759), not the specified one; signed by ${enclave.address}`,
    )
    expect(brokenRules(result)).toEqual(['JRN-02', 'JRN-06', 'JRN-08'])
  })

  test('given an enclave in local mode, then it names the image hash', async () => {
    const zero: Hex = `0x${'00'.repeat(32)}`
    const result = await audit(await calldata((origin) => packed(origin, 8, zero)), to())
    expect(result.claims[0]!.departures).toEqual(['teeImageHash is zero (local mode)'])
  })

  test('given the specified journal but another sender, then nothing fits', async () => {
    const data = await calldata((origin) => packed(origin, 8))
    expect(await audit(data, to())).toMatchObject({ verdict: 'pass' })
    const stranger = { ...to(), known: { proposer: userKeys[3]!.address } }
    const result = await audit(data, stranger)
    expect(result.claims[0]!.summary).toContain('fits no known journal')
  })

  test('given no L1, then flags stand in for it', async () => {
    const data = await calldata((origin) => packed(origin, 8))
    const known = {
      proposer,
      prevOutputRoot: genesisRoot,
      startingL2Block: 0n,
      configHash,
      teeImageHash: imageHash,
    }
    const offline = { signers: [enclave.address] }
    const bytes = hexToBytes(data)
    expect(await auditInput({ bytes }, { known, ...offline })).toMatchObject({ verdict: 'pass' })
    const { notes } = await auditInput({ bytes }, { known: { proposer }, ...offline })
    expect(notes.join(' ')).toMatch(/--prev-root.*--start.*--config-hash.*--image-hash/)
  })
})

describe('auditing other calls', () => {
  test('given a dispute of one interval, then its journal starts where the interval does', async () => {
    const challenger = roleKeys.challenger
    const proof = await player.intervalProof(game.address, challenger, 1, root(77))
    const data = encodeFunctionData({
      abi: aggregateVerifierAbi,
      functionName: 'nullify',
      args: [proof, 1n, root(77)],
    })
    const known = { proposer: challenger.address }
    const result = await audit(data, { to: game.address, known })
    expect(result.verdict).toBe('pass')
    const [claim] = result.claims
    expect(claim).toMatchObject({ subject: 'interval', signer: enclave.address })
    expect(claim!.fields.find(({ field }) => field === 'startingL2Block')?.value).toBe('5')
  })

  test('given TEEVerifier.verify, then the signer of the hash is found', async () => {
    const digest = keccak256('0x1234')
    const signature = await sign({ hash: digest, privateKey: enclave.privateKey, to: 'hex' })
    const call = (bytes: Hex) =>
      encodeFunctionData({
        abi: teeVerifierAbi,
        functionName: 'verify',
        args: [concatHex([roleKeys.proposer.address, bytes]), imageHash, digest],
      })
    const to = stack.contracts.teeVerifier
    expect(await audit(call(signature), { to })).toMatchObject({
      verdict: 'pass',
      claims: [{ subject: 'digest', signer: enclave.address }],
    })
    const raw = concatHex([
      slice(signature, 0, 64),
      slice(signature, 64) === '0x1b' ? '0x00' : '0x01',
    ])
    expect(brokenRules(await audit(call(raw), { to }))).toEqual(['SIG-06'])
  })
})
