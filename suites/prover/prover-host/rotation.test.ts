import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type BenchEnclave,
  gate,
  type HostBench,
  hostBench,
  type RunningHost,
  signatureOf,
} from './host-bench.ts'
import { type HostChain, hostChain } from './host-chain.ts'

let chain: HostChain
let bench: HostBench
let host: RunningHost
/** Enclaves of the old and of the new image, behind one host all the time, the old one first. */
let old: BenchEnclave
let fresh: BenchEnclave

beforeAll(async () => {
  chain = await hostChain()
})
afterAll(() => chain.stop())
beforeEach(async () => {
  bench = await hostBench(chain, 2)
  ;[old, fresh] = bench.enclaves as [BenchEnclave, BenchEnclave]
  host = await bench.start()
})
afterEach(() => bench.stop())

const prove = async () =>
  signatureOf(await host.rpc.request('prover_prove', await chain.request(1, 2)))
/** What the registry goes through: the old signer, both in the overlap, the new one. */
const phases = {
  before: () => {
    chain.registry.valid = [old.signer]
  },
  overlap: () => {
    chain.registry.valid = [old.signer, fresh.signer]
  },
  after: () => {
    chain.registry.valid = [fresh.signer]
  },
}

describe('rotation of an enclave image behind one host', () => {
  it('given old and new image side by side, when the registry moves on, then requests go old, old, new with no restart (ROT-01, ROT-02, ROT-03, ROT-04)', async () => {
    const answered: string[] = []
    for (const enter of Object.values(phases)) {
      enter()
      answered.push(await prove(), await prove())
    }
    const [a, b] = [old.signature, fresh.signature]
    expect(answered).toEqual([a, a, a, a, b, b])
    expect(await host.rpc.request('enclave_signerPublicKey', [])).toHaveLength(2)
  })

  it('given a proof in flight at the old enclave, when the registry moves on, then it is finished there while new requests go to the new one (ROT-04)', async () => {
    phases.overlap()
    const slow = gate(old.reactions.Prove)
    old.reactions.Prove = slow.promise
    const inFlight = prove()
    await old.arrived(2)
    phases.after()
    expect(await prove()).toBe(fresh.signature)
    slow.open()
    expect(await inFlight).toBe(old.signature)
  })

  it('given requests that wait behind it, when their turn comes after the switch, then they move to the new enclave: the old one drains (ROT-04)', async () => {
    phases.overlap()
    const slow = gate(old.reactions.Prove)
    old.reactions.Prove = slow.promise
    const inFlight = prove()
    await old.arrived(2)
    const waiting = [prove(), prove()]
    await bench.untilLogged('waiting', 2)
    phases.after()
    slow.open()
    expect(await inFlight).toBe(old.signature)
    expect(await Promise.all(waiting)).toEqual([fresh.signature, fresh.signature])
    expect(old.kinds().filter((kind) => kind === 'Prove')).toHaveLength(1)
  })

  it('given requests that wait, when their enclave is still valid at their turn, then it serves them in order', async () => {
    phases.overlap()
    const slow = gate(old.reactions.Prove)
    old.reactions.Prove = slow.promise
    const answers = [prove()]
    await old.arrived(2)
    answers.push(prove(), prove())
    await bench.untilLogged('waiting', 2)
    slow.open()
    expect(await Promise.all(answers)).toEqual(Array(3).fill(old.signature))
    expect(fresh.kinds()).toEqual([])
  })

  it('given one that waits, when no signer is valid at its turn, then it fails closed (SAFE-09)', async () => {
    phases.before()
    const slow = gate(old.reactions.Prove)
    old.reactions.Prove = slow.promise
    const inFlight = prove()
    await old.arrived(2)
    const waiting = expect(prove()).rejects.toMatchObject({ rpcCode: -32001 })
    await bench.untilLogged('waiting', 1)
    chain.registry.valid = []
    slow.open()
    expect(await inFlight).toBe(old.signature)
    await waiting
  })

  it('given the old enclave gone after the switch, when proving, then it is skipped and the new one serves', async () => {
    phases.after()
    await old.stop()
    expect(await prove()).toBe(fresh.signature)
  })

  it('given a registry that goes back, when proving, then the old image serves again: no choice is remembered', async () => {
    phases.after()
    await prove()
    phases.before()
    expect(await prove()).toBe(old.signature)
  })
})
