import { encode } from 'cborg'
import { pino } from 'pino'
import { concatHex, encodeDeployData, type Hex, keccak256, toFunctionSelector, toHex } from 'viem'
import { publicKeyToAddress, sign } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { intervalsFrom, readGameConstants } from '#devnet/actors/game-rules'
import { l1Client } from '#devnet/actors/l1-client'
import { l1Wallet } from '#devnet/actors/l1-wallet'
import { createRegistrar } from '#devnet/actors/registrar/create-registrar'
import { devAttestationProver } from '#devnet/actors/registrar/dev-attestation-prover'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { l1ContractAddresses } from '#devnet/l1/l1-contract-addresses'
import { gameType } from '#fixtures/chain/constants'
import { roleKeys } from '#fixtures/chain/dev-keys'
import { cobaltProverRegistryAbi } from '#fixtures/contracts/CobaltProverRegistry.abi'
import { devNitroValidatorAbi } from '#fixtures/contracts/DevNitroValidator.abi'
import { loadContract } from '#fixtures/contracts/load-contract'
import { protocolVersionsAbi } from '#fixtures/contracts/ProtocolVersions.abi'
import { scheduledVerifierAbi } from '#fixtures/contracts/ScheduledVerifier.abi'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { attestingHosts } from '../actors/attesting-host.ts'
import { hideFunctions } from '../actors/hide-functions.ts'
import { gamePlayer } from './play-game.ts'
import { configHash, imageHash, type ProofStack, startProofStack } from './proof-stack.ts'

/** Base mainnet until Beryl, Cobalt not scheduled. Source: base/contracts, test/L1/ProtocolVersions.t.sol. */
const MAINNET = [
  ...[1_686_789_347n, 1_704_992_401n, 1_708_560_000n, 1_710_374_401n, 1_720_627_201n],
  ...[1_726_070_401n, 1_736_445_601n, 0n, 1_746_806_401n, 1_764_691_201n],
  ...[1_779_991_200n, 1_782_410_400n, 0n],
]
const GENESIS = 1_700_000_000n
const DENIM = 1_793_901_601n
const all = l1ContractAddresses(roleKeys.deployer.address, true)
const versions = { address: all.protocolVersions!, abi: protocolVersionsAbi } as const
const game = { address: all.aggregateVerifier, abi: scheduledVerifierAbi } as const

let stack: ProofStack
beforeAll(async () => {
  stack = await startProofStack({
    schedule: {
      ...{ times: [...MAINNET, DENIM], era: 'activated-schedule', blockTime: 2 },
      ...{ genesisNumber: 0, genesisTime: Number(GENESIS) },
    },
  })
})
afterAll(() => stack.stop())

const now = async () => (await stack.client.getBlock()).timestamp

describe('ProtocolVersions', () => {
  test('given the schedule of Base mainnet, then its ids are those that base/contracts tests for', async () => {
    const read = stack.client.readContract
    expect(await read({ ...versions, functionName: 'getSchedule' })).toEqual([...MAINNET, DENIM])
    const beryl = {
      ...versions,
      functionName: 'activatedScheduleId',
      args: [MAINNET[11]!],
    } as const
    expect(await read(beryl)).toMatch(/^0xadd4aa9bd3532969035a9543c16b8c7d/)
    expect(await read({ ...beryl, args: [DENIM - 1n] })).toBe(await read(beryl))
    expect(await read({ ...versions, functionName: 'scheduleId', args: [12n] })).toMatch(
      /^0x5ee41f186b0a439783060587cfbb942f/,
    )
    const whole = await read({ ...versions, functionName: 'scheduleId' })
    expect(await read({ ...beryl, args: [DENIM] })).toBe(whole)
    expect(await read({ ...beryl, args: [1n] })).toBe(`0x${'00'.repeat(32)}`)
  })

  test('given a change without notice, out of order, or by nobody who may, then it reverts', async () => {
    const at = await now()
    const { owner, revertOf } = stack
    const set = (id: bigint, time: bigint) =>
      revertOf(owner, { ...versions, functionName: 'setTimestamp', args: [id, time] })
    expect(await set(13n, at + 3599n)).toMatch(/^NoticeTooShort\(/)
    expect(await set(14n, at + 9999n)).toMatch(/^UnknownUpgrade\(/)
    // Cobalt was skipped while Denim was scheduled.
    expect(await set(12n, DENIM - 1n)).toMatch(/^OutOfOrder\(/)
    const delay = { ...versions, functionName: 'delayTimestamp', args: [13n, DENIM] } as const
    expect(await revertOf(owner, delay)).toMatch(/^NotLater\(/)
    expect(await revertOf(roleKeys.proposer, delay)).toBe('NotIncidentResponder()')
    const least = { ...versions, functionName: 'setMinimumProtocolVersion' } as const
    expect(await revertOf(owner, { ...least, args: [1n << 128n] })).toMatch(
      /^InvalidProtocolVersion\(/,
    )
    const again = { ...versions, functionName: 'initialize', args: [owner.address, []] } as const
    expect(await revertOf(owner, again)).toBe('AlreadyInitialized()')
  })
})

describe('games of a chain with upgrades', () => {
  test('given a start before Denim and from its first block on, then the intervals are slow, then fast', async () => {
    // 93,901,601 s are 46,950,800.5 slots of 2 s.
    const first = 46_950_801n
    const from = (start: bigint) =>
      stack.client.readContract({
        ...game,
        functionName: 'intervalsForStartingBlock',
        args: [start],
      })
    expect(await from(first - 1n)).toEqual([10n, 5n])
    expect(await from(first)).toEqual([100n, 50n])
  })

  test('given a claim whose second has not come on L1, then no game is created', async () => {
    expect(await gamePlayer(stack).refused({})).toMatch(/^L2TimestampInFuture\(/)
  })

  // base/contracts, AggregateVerifier.sol since Denim: SLOW_BLOCK_INTERVAL, and no BLOCK_INTERVAL any more.
  test('given games of which the intervals until Denim have their new name alone, then actors read them', async () => {
    await using _ = { [Symbol.asyncDispose]: await stack.rewindPoint() }
    const hidden = ['BLOCK_INTERVAL', 'INTERMEDIATE_BLOCK_INTERVAL']
    await hideFunctions(stack, { ...game, hidden })
    const l1 = l1Client(httpRpcClient(stack.l1.rpcUrl))
    await expect(
      stack.client.readContract({ ...game, functionName: 'BLOCK_INTERVAL' }),
    ).rejects.toThrow()
    const rules = await readGameConstants(l1, game.address)
    expect(rules).toMatchObject({ blockInterval: 10n, intermediateInterval: 5n })
    expect(await intervalsFrom(l1, rules, 46_950_801n)).toEqual({
      blockInterval: 100n,
      intermediateInterval: 50n,
    })
  })

  test('given pairs of intervals with other counts of roots, then no verifier is made', async () => {
    const zero: Hex = `0x${'00'.repeat(32)}`
    const verifier = (fast: bigint) =>
      encodeDeployData({
        abi: scheduledVerifierAbi,
        bytecode: loadContract('ScheduledVerifier').bytecode,
        args: [
          ...([gameType, all.anchorStateRegistry, all.delayedWETH, all.teeVerifier] as const),
          ...([all.zkVerifier, imageHash, { rangeHash: zero, aggregateHash: zero }] as const),
          ...([configHash, 1n] as const),
          {
            ...{ slowBlockInterval: 10n, slowIntermediateBlockInterval: 5n },
            ...{ fastBlockInterval: fast, fastIntermediateBlockInterval: 50n },
          },
          {
            ...{ protocolVersions: all.protocolVersions!, genesisBlockNumber: 0n },
            ...{ genesisTimestamp: GENESIS, blockTime: 2n },
          },
        ],
      })
    const deploy = (fast: bigint) =>
      stack.client.call({ data: verifier(fast) }).then(
        () => 'made',
        (error: Error) => error.message,
      )
    expect(await deploy(100n)).toBe('made')
    // The selector of MismatchedIntermediateRootCount(uint256,uint256).
    expect(await deploy(150n)).toContain(
      selectorOf('MismatchedIntermediateRootCount(uint256,uint256)'),
    )
  })
})

test('given what these contracts add, then it is called by the names that Base publishes', () => {
  // base/contracts, AggregateVerifier.sol and TEEProverRegistry.sol.
  const functions = [...scheduledVerifierAbi, ...cobaltProverRegistryAbi].flatMap((item) =>
    item.type === 'function' ? [toFunctionSelector(item)] : [],
  )
  expect(functions).toContain('0x326ac384')
  expect(functions).toContain('0xb39dc09d')
  expect(selectorOf('intervalsForStartingBlock(uint256)')).toBe('0x326ac384')
  expect(selectorOf('registerSigner(bytes,bytes,bytes)')).toBe('0xb39dc09d')
  const [early] = scheduledVerifierAbi.filter(
    (item) => item.type === 'error' && item.name === 'L2TimestampInFuture',
  )
  expect(early?.inputs.map(({ type }) => type)).toEqual(['uint64', 'uint256'])
  expect(selectorOf('L2TimestampInFuture(uint64,uint256)')).toBe('0x3680a678')
})

const selectorOf = (signature: string) => keccak256(toHex(signature)).slice(0, 10)

describe('the registry since Cobalt', () => {
  const registry = {
    address: all.teeProverRegistry,
    abi: [...cobaltProverRegistryAbi, ...devNitroValidatorAbi],
  } as const
  const publicKey = Uint8Array.of(4, ...Array<number>(64).fill(0x11))
  const pcr0 = new Uint8Array(48).fill(7)

  async function registration(changed: object = {}, attester: Hex = roleKeys.registrar.privateKey) {
    const members = {
      ...{ module_id: 'i-1-enc2', digest: 'SHA384', timestamp: (Number(await now()) - 5) * 1000 },
      ...{ pcrs: new Map([[0, pcr0]]), certificate: pcr0, cabundle: [pcr0] },
      ...{ public_key: publicKey, user_data: null, nonce: Uint8Array.of(1) },
      ...changed,
    }
    const header = Uint8Array.of(0xa1, 0x01, 0x38, 0x22)
    const document = toHex(encode(['Signature1', header, new Uint8Array(0), encode(members)]))
    const signature = toHex(new Uint8Array(96).fill(9))
    const hash = keccak256(
      concatHex([all.attestationVerifier, keccak256(document), keccak256(signature)]),
    )
    const hints = await sign({ hash, privateKey: attester, to: 'hex' })
    const args = [document, signature, hints] as const
    return { ...registry, functionName: 'registerSigner', args } as const
  }
  const refusal = async (...of: Parameters<typeof registration>) =>
    stack.revertOf(roleKeys.registrar, await registration(...of))

  test('given an attestation that the validator believes, then its key is registered with its image', async () => {
    await stack.send(roleKeys.registrar, await registration())
    const signer = publicKeyToAddress(toHex(publicKey))
    const read = { ...registry, functionName: 'signerImageHash', args: [signer] } as const
    expect(await stack.client.readContract(read)).toBe(keccak256(pcr0))
  })

  test('given an enclave that attests later than the newest L1 block, when our registrar comes, then it waits for one that is later still', async () => {
    const clock = new VirtualClock((Number(await now()) + 3) * 1000 + 500)
    const simulated = attestingHosts(clock)
    const host = simulated.host('one', ['a'])
    const rpc = httpRpcClient(stack.l1.rpcUrl)
    let waited = 0
    const registrar = createRegistrar({
      l1: rpc,
      hosts: [host],
      wallet: l1Wallet({
        ...{ rpc, ...roleKeys.registrar, clock, signal: new AbortController().signal },
        nextBlock: async () => {
          waited += 1
          await stack.l1.mine()
        },
      }),
      registry: all.teeProverRegistry,
      prove: devAttestationProver(l1Client(rpc), {
        registry: all.teeProverRegistry,
        attester: roleKeys.registrar.privateKey,
      }),
      ...{ trustedRoot: simulated.root, clock, logger: pino({ level: 'silent' }) },
    })
    const before = await now()
    expect(await registrar.round()).toMatchObject({ registered: host.signers, refused: [] })
    // Four seconds until it is later than what was attested, the block with the registration, and one in
    // which the key of the test before goes, which no host has.
    expect([waited, (await now()) - before]).toEqual([6, 6n])
  })

  test('given another that is not, then it reverts with the reason', async () => {
    const seconds = Number(await now())
    expect(await refusal({ timestamp: (seconds + 60) * 1000 })).toBe('AttestationFromFuture()')
    expect(await refusal({ timestamp: (seconds - 3600) * 1000 })).toBe('AttestationTooOld()')
    expect(await refusal({ pcrs: new Map([[0, new Uint8Array(48)]]) })).toBe('InvalidPCR0()')
    expect(await refusal({ pcrs: new Map([[0, pcr0.subarray(1)]]) })).toBe('InvalidPCR0()')
    expect(await refusal({ public_key: publicKey.subarray(1) })).toBe('InvalidPublicKey()')
    expect(await refusal({ more: pcr0 })).toMatch(/^AttestationMalformed\(/)
    expect(await refusal({}, roleKeys.proposer.privateKey)).toBe('AttestationVerificationFailed()')
  })
})

test('given half an hour before a time, then nothing about it changes (FREEZE_WINDOW)', async () => {
  const { owner, revertOf, send } = stack
  const time = (await now()) + 4000n
  const set = (to: bigint) =>
    ({ ...versions, functionName: 'setTimestamp', args: [13n, to] }) as const
  const register = { ...versions, functionName: 'registerUpgrade', args: [0n, 0n] } as const
  // Denim comes after Beryl: so near a time has no place in this list, but at the end of another.
  expect(await revertOf(owner, set(time))).toMatch(/^OutOfOrder\(/)
  await send(owner, register)
  await stack.l1.mine(Number(DENIM) - 1800)
  expect(await revertOf(owner, set(DENIM + 7200n))).toMatch(/^UpgradeFrozen\(/)
})
