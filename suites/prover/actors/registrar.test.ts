import { bytesToHex } from '@ethereumjs/util'
import { pino } from 'pino'
import { concatHex, type Hex, keccak256, numberToHex, slice, stringToHex } from 'viem'
import { sign } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { l1Client } from '#devnet/actors/l1-client'
import { l1Wallet } from '#devnet/actors/l1-wallet'
import { challengeNonce } from '#devnet/actors/registrar/challenge-nonce'
import { createRegistrar, type RegistrarOptions } from '#devnet/actors/registrar/create-registrar'
import { devAttestationProver } from '#devnet/actors/registrar/dev-attestation-prover'
import { httpRpcClient, type RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { type DevKey, roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { type ProofStack, startProofStack } from '../contracts/proof-stack.ts'
import { type AttestingHost, attestingHosts, pcr0 } from './attesting-host.ts'

const HOUR = 3_600_000
const { registrar } = roleKeys

let stack: ProofStack
let clock: VirtualClock
let simulated: ReturnType<typeof attestingHosts>
let hosts: AttestingHost[]

beforeAll(async () => {
  stack = await startProofStack()
})
afterAll(() => stack.stop())
beforeEach(async () => {
  const rewind = await stack.rewindPoint()
  const { timestamp } = await stack.client.getBlock()
  clock = new VirtualClock(Number(timestamp) * 1000)
  simulated = attestingHosts(clock)
  hosts = [
    simulated.host('one', ['a', 'b']),
    simulated.host('two', ['c']),
    simulated.host('three', ['d']),
  ]
  return rewind
})

const registry = () => ({ address: stack.contracts.teeProverRegistry, abi: teeProverRegistryAbi })
const rpc = () => httpRpcClient(stack.l1.rpcUrl)

function proverOf(attester: Hex) {
  return devAttestationProver(l1Client(rpc()), { registry: registry().address, attester })
}

function start(overrides: Partial<RegistrarOptions> & { key?: DevKey } = {}) {
  const { key = registrar, ...rest } = overrides
  const l1 = rpc()
  return createRegistrar({
    l1,
    hosts,
    wallet: l1Wallet({
      rpc: l1,
      ...key,
      clock,
      signal: new AbortController().signal,
      nextBlock: () => stack.l1.mine(),
    }),
    registry: registry().address,
    prove: proverOf(registrar.privateKey),
    trustedRoot: simulated.root,
    clock,
    logger: pino({ level: 'silent' }),
    ...rest,
  })
}

const registeredSigners = async () => {
  const signers = await stack.client.readContract({
    ...registry(),
    functionName: 'getRegisteredSigners',
  })
  return signers.map((signer) => signer.toLowerCase())
}

describe('challengeNonce', () => {
  test('given the published formula, then it is keccak of domain, registry and signer (ATT-13)', () => {
    const [one, two]: Hex[] = [`0x${'01'.repeat(20)}`, `0x${'02'.repeat(20)}`]
    const domain = stringToHex('base-proof-tee-registrar:attestation-nonce:v1')
    const nonce = bytesToHex(challengeNonce(one!, two!))
    expect(nonce).toBe(keccak256(concatHex([domain, one!, two!])))
    expect(nonce).toBe('0x8407952d707ef54ae4594aee28822f234f18b96419119ae75b56aa21dfa96b1c')
  })
})

describe('given enclaves that are not registered, when the registrar goes round', () => {
  test('then it registers each under its image, from one attestation of the host (ATT-14)', async () => {
    const outcome = await start().round()
    const signers = hosts.flatMap((host) => host.signers)
    expect(outcome).toMatchObject({ registered: signers, refused: [], reachable: 3, hosts: 3 })
    expect(await registeredSigners()).toEqual(signers)
    for (const signer of signers) {
      const imageHash = await stack.client.readContract({
        ...registry(),
        functionName: 'signerImageHash',
        args: [signer],
      })
      expect(imageHash).toBe(keccak256(pcr0))
    }
    expect(hosts[0]!.asked).toEqual([
      hosts[0]!.signers.map((signer) => bytesToHex(challengeNonce(registry().address, signer))),
    ])
  })

  test('then a second round has nothing to do and asks for no attestation', async () => {
    const actor = start()
    await actor.round()
    expect(await actor.round()).toMatchObject({ idle: true, registered: [], deregistered: [] })
    expect(hosts.map(({ asked }) => asked.length)).toEqual([1, 1, 1])
  })

  test('then a host that is down does not hinder the others', async () => {
    hosts[0]!.down = true
    const outcome = await start().round()
    expect(outcome).toMatchObject({
      reachable: 2,
      registered: [...hosts[1]!.signers, ...hosts[2]!.signers],
    })
  })
})

describe('given an attestation that is not to be trusted, then its signer is refused', () => {
  afterEach(async () => expect(await registeredSigners()).toEqual([]))

  const refusals = async (overrides: Partial<RegistrarOptions> = {}) => {
    hosts = [hosts[1]!]
    const { refused } = await start(overrides).round()
    return refused.map(({ reason }) => reason).join('; ')
  }

  test('given a chain from the simulated root, when only the AWS root is trusted', async () => {
    expect(await refusals({ trustedRoot: undefined })).toMatch(/trusted root/)
  })

  test('given a chain from another simulated root', async () => {
    const { root } = attestingHosts(clock, 'another hypervisor')
    expect(await refusals({ trustedRoot: root })).toMatch(/trusted root/)
  })

  test('given a simulated root to be trusted, when L1 is no devnet', async () => {
    const l1: RpcClient = {
      request: async (method, params) =>
        method === 'eth_chainId' ? '0x1' : await rpc().request(method, params),
    }
    await expect(refusals({ l1 })).rejects.toMatchObject({
      code: 'SIMULATED_ROOT_REFUSED',
      message: expect.stringContaining('not on L1 chain 1.'),
    })
  })

  const other = new Uint8Array(32).fill(7)
  test.each<[string, AttestingHost['tamper'], RegExp]>([
    ['another nonce', (it) => ({ ...it, nonce: other }), /nonce/],
    ['no nonce', (it) => ({ ...it, nonce: null }), /nonce/],
    ['the PCR0 of debug mode', (it) => ({ ...it, pcrs: [new Uint8Array(48)] }), /debug/],
    ['no public key', (it) => ({ ...it, publicKey: null }), /no secp256k1 public key/],
    ['a key of 33 bytes', (it) => ({ ...it, publicKey: it.publicKey!.slice(0, 33) }), /no secp/],
    [
      'the key of another enclave',
      (it) => ({ ...it, publicKey: it.publicKey!.toReversed() }),
      /attests 0x/,
    ],
    ['an age of an hour', (it) => ({ ...it, timestamp: it.timestamp - HOUR }), /older than 3600 s/],
    ['a time in the future', (it) => ({ ...it, timestamp: it.timestamp + 1000 }), /future/],
  ])('given %s', async (_, tamper, reason) => {
    hosts[1]!.tamper = tamper
    expect(await refusals()).toMatch(reason)
  })

  test('given a byte flipped anywhere', async () => {
    const [, { rpc: honest }] = hosts as [AttestingHost, AttestingHost]
    for (const part of [0.1, 0.5, 0.99]) {
      const flipped = {
        async request(method: string, params: readonly unknown[]) {
          const answer = (await honest.request(method, params)) as number[][]
          if (method === 'enclave_signerPublicKey') return answer
          return answer.map((document) => {
            const at = Math.floor(part * document.length)
            return document.with(at, document[at]! ^ 1)
          })
        },
      }
      const { refused } = await start({ hosts: [{ name: 'flipping', rpc: flipped }] }).round()
      expect(refused).toHaveLength(1)
    }
  })

  test('given certificates that have expired', async () => {
    const [, host] = hosts as [AttestingHost, AttestingHost]
    const later = new VirtualClock(clock.now() + 4 * HOUR)
    const { refused } = await start({ hosts: [host], clock: later }).round()
    expect(refused[0]!.reason).toMatch(/expired/)
  })

  test('then it is asked again, but not at once', async () => {
    hosts = [hosts[1]!]
    const tamper = hosts[0]!.tamper
    hosts[0]!.tamper = (it) => ({ ...it, nonce: null })
    const actor = start()
    await actor.round()
    await actor.round()
    expect(hosts[0]!.asked).toHaveLength(1)
    hosts[0]!.tamper = tamper
    await clock.advance(2_000)
    const { registered } = await actor.round()
    expect(registered).toEqual(hosts[0]!.signers)
    await stack.send(stack.owner, {
      ...registry(),
      functionName: 'deregisterSigner',
      args: [registered[0]!],
    })
  })
})

describe('given a registered signer that no host has any more', () => {
  let orphan: Hex
  beforeEach(async () => {
    await start().round()
    orphan = hosts[0]!.signers[0]!
    hosts[0] = simulated.host('one', ['b'])
  })

  test('when a majority of the hosts answers, then it is deregistered', async () => {
    hosts[2]!.down = true
    const actor = start()
    const gone = [orphan, ...hosts[2]!.signers].toSorted()
    const { deregistered } = await actor.round()
    expect(deregistered.toSorted()).toEqual(gone)
    expect(await registeredSigners()).not.toContain(orphan)
  })

  test('when only a minority answers, then none is, until the others are back', async () => {
    hosts[1]!.down = true
    hosts[2]!.down = true
    const actor = start()
    expect(await actor.round()).toMatchObject({ deregistered: [], reachable: 1, idle: true })
    hosts[1]!.down = false
    hosts[2]!.down = false
    expect(await actor.round()).toMatchObject({ deregistered: [orphan] })
  })

  test('when half of them answers, then none is', async () => {
    hosts = [hosts[0]!, hosts[1]!]
    hosts[1]!.down = true
    expect(await start().round()).toMatchObject({ deregistered: [], reachable: 1, hosts: 2 })
  })
})

// tee-prover.md, image rotation: during the overlap both signers are registered (ROT-02); after it the
// new one alone is valid (ROT-03).
describe('given a rotation, in which the registry holds two images valid', () => {
  const next = { signer: userKeys[5]!.address, imageHash: keccak256('0x0e') }
  const leaked = userKeys[6]!.address
  const owns = (functionName: 'addDevSigner' | 'setDevImage', ...args: [Hex, Hex | boolean]) =>
    stack.send(stack.owner, { ...registry(), functionName, args } as never)
  const inForce = () =>
    stack.client.readContract({ ...registry(), functionName: 'getExpectedImageHash' })

  test('when its enclaves do not run yet, then the next signer stays until the overlap ends, and a key of the image in force that no host has does not', async () => {
    const actor = start()
    await actor.round()
    const running = hosts.flatMap((host) => host.signers)
    await owns('setDevImage', next.imageHash, true)
    await owns('addDevSigner', next.signer, next.imageHash)
    await owns('addDevSigner', leaked, await inForce())
    expect(await actor.round()).toMatchObject({ deregistered: [leaked], kept: [next.signer] })
    expect(await actor.round()).toMatchObject({ deregistered: [], kept: [next.signer] })
    expect((await registeredSigners()).toSorted()).toEqual([...running, next.signer].toSorted())

    await owns('setDevImage', next.imageHash, false)
    expect(await actor.round()).toMatchObject({ deregistered: [next.signer], kept: [] })
    expect((await registeredSigners()).toSorted()).toEqual(running.toSorted())
  })

  test('when an old enclave is switched off while its image is still valid, then its signer stays until the overlap ends', async () => {
    // The enclaves of these hosts have another image than the one in force: that of before the switch.
    const old = keccak256(pcr0)
    expect(await inForce()).not.toBe(old)
    const actor = start()
    await actor.round()
    await owns('setDevImage', old, true)
    const [gone] = hosts[0]!.signers
    hosts[0] = simulated.host('one', ['b'])
    expect(await start().round()).toMatchObject({ deregistered: [], kept: [gone] })
    await owns('setDevImage', old, false)
    expect(await start().round()).toMatchObject({ deregistered: [gone], kept: [] })
  })
})

describe('TEEProverRegistry.registerSigner, given an output that its verifier accepts', () => {
  const publicKey = `0x04${'11'.repeat(64)}` as Hex
  const attestation = async (changed: object = {}) => ({
    timestamp: clock.now(),
    publicKey: Uint8Array.from(Buffer.from(publicKey.slice(2), 'hex')),
    pcrs: new Map([[0, pcr0]]),
    nonce: null,
    moduleId: 'i-1-enc2',
    ...changed,
  })
  const refusal = async (
    changed: object,
    attester: Hex = registrar.privateKey,
    by: DevKey = registrar,
  ) => {
    const signed = { attestation: await attestation(changed) }
    const args = (await proverOf(attester)(signed as never)) as readonly [Hex, Hex]
    return stack.revertOf(by, { ...registry(), functionName: 'registerSigner', args })
  }

  test('given a verifier that wants a ZK proof, then the registrar says that it has none', async () => {
    const code = await stack.client.getCode({ address: stack.contracts.zkVerifier })
    await stack.client.request({
      method: 'anvil_setCode',
      params: [stack.contracts.attestationVerifier, code],
    } as never)
    hosts = [hosts[1]!]
    const { refused } = await start().round()
    expect(refused).toMatchObject([{ reason: expect.stringMatching(/NITRO_VERIFIER .* ZK proof/) }])
  })

  test('given a verification that is no success, then it reverts', async () => {
    const signed = { attestation: await attestation() }
    const [output] = await proverOf(registrar.privateKey)(signed as never)
    // The first member of the tuple, behind its offset: 4 is a timestamp out of range.
    const failed = concatHex([
      slice(output, 0, 32),
      numberToHex(4, { size: 32 }),
      slice(output, 64),
    ])
    const hash = keccak256(concatHex([stack.contracts.attestationVerifier, failed]))
    const proof = await sign({ hash, privateKey: registrar.privateKey, to: 'hex' })
    const call = { ...registry(), functionName: 'registerSigner', args: [failed, proof] } as const
    expect(await stack.revertOf(registrar, call)).toBe('AttestationVerificationFailed()')
  })

  test('then it registers the address of the key', async () => {
    expect(await refusal({})).toBeUndefined()
  })

  test.each<[string, () => Promise<string | undefined>, string]>([
    ['of an hour ago', () => refusal({ timestamp: clock.now() - HOUR }), 'AttestationTooOld()'],
    [
      'with a key of 64 bytes',
      () => refusal({ publicKey: new Uint8Array(64) }),
      'InvalidPublicKey()',
    ],
    ['without PCR0', () => refusal({ pcrs: new Map([[1, pcr0]]) }), 'PCR0NotFound()'],
    [
      'proven by somebody else',
      () => refusal({}, userKeys[2]!.privateKey),
      'AttestationVerificationFailed()',
    ],
    [
      'sent by a stranger',
      () => refusal({}, registrar.privateKey, userKeys[2]!),
      'OwnableManaged: caller is not the owner or the manager',
    ],
  ])('given one %s, then it reverts', async (_, refused, error) => {
    expect(await refused()).toBe(error)
  })

  test('given one just within the hour, then it registers', async () => {
    expect(await refusal({ timestamp: clock.now() - HOUR + 1000 })).toBeUndefined()
  })
})
