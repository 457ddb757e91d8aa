import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keccak256 } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { bootLocal } from '#enclave/server/boot-identity'
import { createEnclave } from '#enclave/server/create-enclave'
import { serveConnection } from '#enclave/server/serve-connection'
import { connect } from '#enclave/vsock/connect'
import { listenHybrid } from '#enclave/vsock/hybrid-listener'
import { readFrame, writeFrame } from '#enclave/wire/frame'
import { decodeResponse, type EnclaveRequest, encodeRequest } from '#enclave/wire/messages'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { keccakKey } from '#protocol/oracle/preimage-key'
import { verifyInTurns } from '#protocol/oracle/verified-oracle'
import { runProgram } from '#protocol/proof/run-program'
import { seededRng } from '#protocol/random/rng'
import { honestClaim } from '../safety/claim.ts'
import { randomWorld } from '../safety/random-world.ts'
import { witnessOf } from '../safety/witness-of.ts'

const LENGTH = 300

test(`given a proof of ${LENGTH} blocks in progress, when the enclave is asked for its key on another connection, then it answers some blocks later, each time`, async () => {
  const world = await randomWorld(1, { length: LENGTH })
  const chains = new Map([[BigInt(world.config.l2ChainId), world.config]])
  const clock = new VirtualClock()
  const log = () => undefined
  const started = Promise.withResolvers<void>()
  let executed = 0
  const onBlock = () => {
    executed += 1
    started.resolve()
  }
  const enclave = createEnclave({
    identity: bootLocal(seededRng(1)),
    program: async (preimages) => runProgram(await verifyInTurns(preimages), { chains, onBlock }),
    log,
  })
  const folder = await mkdtemp(join(tmpdir(), 'rollbed-'))
  const path = join(folder, 'vsock')
  const listener = await listenHybrid({
    ...{ path, port: 8000, clock },
    onConnection: (stream) => void serveConnection(stream, { enclave, clock, log }),
  })
  onTestFinished(async () => {
    await listener.close()
    await rm(folder, { recursive: true })
  })
  const ask = async (request: EnclaveRequest) => {
    const stream = await connect({ kind: 'unix', path, port: 8000 }, { clock })
    await writeFrame(stream, encodeRequest(request))
    const response = decodeResponse(await readFrame(stream, { clock }))
    stream.destroy()
    return response
  }

  const claim = { ...honestClaim(world, 0, LENGTH), interval: 30n }
  const proven = ask({ kind: 'Prove', preimages: await witnessOf(world, claim) })
  let proving = true
  proven.finally(() => {
    proving = false
  })
  await Promise.race([started.promise, proven])
  const waits: number[] = []
  while (proving && executed < LENGTH - 50) {
    const before = executed
    expect((await ask({ kind: 'SignerPublicKey' })).kind).toBe('SignerPublicKey')
    waits.push(executed - before)
  }
  expect((await proven).kind).toBe('Prove')
  expect(executed).toBe(LENGTH)
  // Few turns of the event loop make an answer, and every block lets it turn.
  expect(waits.length).toBeGreaterThan(10)
  expect(Math.max(...waits)).toBeLessThan(10)
})

test('given a witness of many megabytes, when it is verified, then others have their turn in between', async () => {
  const preimages = Array.from({ length: 64 }, (_, index) => {
    const value = new Uint8Array(1 << 16).fill(index)
    return { key: keccakKey(keccak256(value)), value }
  })
  let turns = 0
  const verified = verifyInTurns(preimages).then(() => 'verified')
  const turn = () => new Promise<string>((resolve) => setImmediate(resolve, 'turn'))
  while ((await Promise.race([verified, turn()])) === 'turn') turns += 1
  expect(turns).toBe(3)
})
