import { describe, expect, test } from 'vitest'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import type { World } from '#devnet/rollup/world/world'

const register = (world: World, wallet: string) =>
  world.clients.api({
    method: 'POST',
    path: '/v1/agents/builder-codes',
    body: JSON.stringify({ walletAddress: wallet }),
  })

const codeIn = ({ body }: { body: string }) =>
  (JSON.parse(body) as { builderCode?: string }).builderCode

describe('faults of a simulated world', () => {
  test('given a disk that is full, read-only or torn, then registrations fail whole or last, and codes stay', async () => {
    await using world = await startSimulatedWorld({ enclaves: 0 })
    const [first, second] = world.facts.accounts.map(({ address }) => address)
    const answer = await register(world, first!)
    expect(answer.status).toBe(201)

    await world.faults.inject('disk:api', 'read_only')
    expect(await register(world, second!)).toMatchObject({ status: 500 })
    expect(codeIn(await register(world, first!))).toBe(codeIn(answer))
    await world.faults.clear()
    expect(await register(world, second!)).toMatchObject({ status: 201 })

    await world.faults.inject('disk:api', 'torn_write')
    await expect(register(world, first!)).rejects.toThrow('connection refused')
    await world.runUntil(world.now() + 2_000)
    expect(codeIn(await register(world, first!))).toBe(codeIn(answer))
  })

  test('given an L1 reorg and a batcher that dies, then L2 becomes safe again all the same', async () => {
    await using world = await startSimulatedWorld({ enclaves: 0 })
    await world.runUntil(10_000)
    await world.faults.inject('chain:l1', 'reorg', { depth: 3, keep: false })
    await world.faults.inject('process:batcher', 'kill')
    await world.runUntil(60_000)
    const safe = await world.clients.l2.request('eth_getBlockByNumber', ['safe', false])
    expect(Number((safe as { number: string }).number)).toBeGreaterThan(20)
    const lines = world.recorder.events.map(({ who, what }) => `${who} ${what}`)
    expect(lines).toContain('l1 reorg')
    expect(lines.filter((each) => each === 'batcher started')).toHaveLength(2)
  })

  test('given an enclave that dies, then it comes back with another key, and garbage is an error that says so', async () => {
    await using world = await startSimulatedWorld({ actors: false })
    const [before] = world.facts.enclaves
    await world.faults.inject('process:enclave.16', 'kill')
    await expect(world.clients.host.request('enclave_signerPublicKey', [])).rejects.toThrow(
      /connect failed/,
    )
    await world.runUntil(world.now() + 5_000)
    expect(world.facts.enclaves[0]!.signer).not.toBe(before!.signer)
    expect(await world.clients.host.request('enclave_signerPublicKey', [])).toHaveLength(1)

    await world.faults.inject('enclave:16', 'garbage')
    await expect(world.clients.host.request('enclave_signerPublicKey', [])).rejects.toThrow(
      /frame read failed/,
    )
  })

  test('given a host that stands still, then a caller waits, and is answered when it goes on', async () => {
    await using world = await startSimulatedWorld({ actors: false })
    const { id } = await world.faults.inject('process:host', 'stop')
    let answer: unknown
    void world.clients.host.request('enclave_signerPublicKey', []).then((keys) => {
      answer = keys
    })
    await world.runUntil(5_000)
    expect(answer).toBeUndefined()
    await world.faults.clear(id)
    await world.runUntil(5_000)
    expect(answer).toHaveLength(1)
  })
})
