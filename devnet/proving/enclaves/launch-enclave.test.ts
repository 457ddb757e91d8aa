import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { keccak256, toBytes, toHex } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyAttestation } from '#enclave/attestation/verify-attestation'
import { buildImage } from '#enclave/image/build-image'
import { imageFiles } from '#enclave/image/image-files'
import { createSimRoot } from '#enclave/security-module/sim/certificate-chain'
import { connect } from '#enclave/vsock/connect'
import { parseEndpoint } from '#enclave/vsock/endpoint'
import { systemClock as clock } from '#protocol/clock/system-clock'
import { localKey } from '#protocol/oracle/preimage-key'
import { LocalKey, type Preimage } from '#protocol/oracle/preimage-oracle'
import { systemRng as rng } from '#protocol/random/rng'
import { enclaveClient } from '../prover/enclave-client.ts'
import { checkIsolation } from './check-isolation.ts'
import { isIsolated } from './isolation.ts'
import { type LaunchEnclaveOptions, launchEnclave, type RunningEnclave } from './launch-enclave.ts'

const directory = mkdtempSync(join(tmpdir(), 'rb-'))
const imageDir = join(directory, 'image')
const workDir = join(directory, 'work')
const root = createSimRoot({ clock, rng })
const logged: string[] = []
const logger = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
let pcr0: string
let enclave: RunningEnclave

const launch = (options: Partial<LaunchEnclaveOptions> = {}) =>
  launchEnclave({ cid: 16, imageDir, workDir, root, clock, rng, logger, ...options })
const clientOf = ({ endpoint }: { endpoint: string }) =>
  enclaveClient({ cid: 16, clock, connect: () => connect(parseEndpoint(endpoint), { clock }) })

/** Whether the process still runs; one that only waits to be reaped does not. */
function runs(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

beforeAll(async () => {
  mkdirSync(workDir)
  const image = await buildImage({ outDir: imageDir, chains: [] })
  pcr0 = image.pcr0
  enclave = await launch()
})
afterAll(async () => {
  await enclave?.stop()
  rmSync(directory, { recursive: true })
})

describe('a launched enclave', () => {
  test('then it is its own process, known by its measurement and key (ENC-START-02, JRN-17)', () => {
    expect(enclave.pid).not.toBe(process.pid)
    expect(enclave.pcr0).toBe(pcr0)
    expect(enclave.imageHash).toBe(keccak256(enclave.pcr0))
    expect(publicKeyToAddress(enclave.publicKey).toLowerCase()).toBe(enclave.signer)
  })

  test('given an image that is made for a machine too, then it runs and is measured as there', async () => {
    const both = join(directory, 'both')
    const image = await buildImage({ outDir: both, chains: [], transport: 'vsock' })
    const other = await launch({ cid: 17, imageDir: both })
    expect(other.imageHash).toBe(image.imageHash)
    expect(other.imageHash).not.toBe(enclave.imageHash)
    await other.stop()
  })

  test('then it has no environment and no argument but its image and what limits Node’s memory (ENC-START-08)', () => {
    expect(readFileSync(`/proc/${enclave.pid}/environ`, 'utf8')).toBe('')
    const [node, limit, program, ...rest] = readFileSync(`/proc/${enclave.pid}/cmdline`, 'utf8')
      .split('\0')
      .filter(Boolean)
    expect(node).toBe(process.execPath)
    expect(limit).toBe('--max-semi-space-size=16')
    expect(program).toMatch(/image\/enclave\.mjs$/)
    expect(rest).toEqual([])
  })

  test('then it has no network (ENC-PROTO-02)', async () => {
    expect(isIsolated(enclave.isolation)).toBe(true)
    await expect(checkIsolation(enclave.isolation, enclave.pid)).resolves.toBeUndefined()
  })

  test('when asked for an attestation, then its key is attested under its measurement, with nonce and user data (ATT-01..08)', async () => {
    const [nonce, userData] = [Buffer.from('nonce'), Buffer.from('data')]
    const document = await clientOf(enclave).signerAttestation({ userData, nonce })
    const attestation = verifyAttestation(document, {
      at: clock.now(),
      root: root.certificate,
      nonce,
    })
    expect(toHex(attestation.pcrs.get(0)!)).toBe(enclave.pcr0)
    expect(toHex(attestation.publicKey!)).toBe(enclave.publicKey)
    expect(Buffer.from(attestation.userData!)).toEqual(userData)
  })

  const prove = (preimages: Preimage[]) =>
    clientOf(enclave).prove(preimages, new AbortController().signal)
  const boot = (identifier: number, size: number): Preimage => ({
    key: localKey(identifier),
    value: toBytes(1, { size }),
  })
  const values = [
    boot(LocalKey.l1Head, 32),
    boot(LocalKey.agreedOutputRoot, 32),
    boot(LocalKey.claimedOutputRoot, 32),
    boot(LocalKey.claimedL2Block, 8),
    boot(LocalKey.chainId, 8),
  ]
  const forged: Preimage = {
    key: { type: 'keccak256', data: new Uint8Array(31) },
    value: Buffer.from('forged'),
  }

  test('given a chain that is not measured into it, then it refuses (ERR-16)', async () => {
    await expect(prove(values)).rejects.toThrow('unsupported chain: 1')
  })

  test('given a preimage that does not hash to its key, used or not, then it refuses (SAFE-05)', async () => {
    await expect(prove([...values, forged])).rejects.toThrow('preimage hash mismatch for key 0x02')
  })

  test('then its log has its signer and nothing of its key (ENC-START-06)', () => {
    const text = logged.join('')
    expect(text).toContain(enclave.signer)
    expect(text).not.toContain(enclave.publicKey.slice(4))
  })

  test('given another beside it, then each has its own key and socket (ENC-START-09)', async () => {
    const other = await launch({ cid: 17, isolation: 'seccomp', insecureNoIsolation: true })
    try {
      expect(other.pcr0).toBe(enclave.pcr0)
      expect(other.signer).not.toBe(enclave.signer)
      expect(other.endpoint).not.toBe(enclave.endpoint)
    } finally {
      await other.stop()
    }
  })
})

describe('nothing is left', () => {
  const leftovers = () => readdirSync(workDir).filter((name) => !enclave.endpoint.includes(name))

  test('when it stops, then no process, no socket and no file is left', async () => {
    const short = await launch()
    const { path } = parseEndpoint(short.endpoint) as { path: string }
    expect(readdirSync(join(path, '..'))).toEqual(['image', 'vsock', 'vsock_9001'])
    await Promise.all([short.stop(), short.stop()])
    expect(runs(short.pid)).toBe(false)
    expect(await short.exited).toContain('SIGKILL')
    expect(leftovers()).toEqual([])
  })

  test('given an image that does not start, then the error says why, and nothing is left', async () => {
    const broken = join(directory, 'broken')
    mkdirSync(broken)
    writeFileSync(join(broken, imageFiles.program), 'throw new Error("bad image")')
    await expect(launch({ imageDir: broken })).rejects.toThrow('bad image')
    expect(leftovers()).toEqual([])
  })

  test('given a Node binary that does not exist, then nothing is left', async () => {
    const nodeBinary = join(directory, 'no-node')
    await expect(
      launch({ nodeBinary, isolation: 'none', insecureNoIsolation: true }),
    ).rejects.toThrow('ENOENT')
    expect(leftovers()).toEqual([])
  })

  test('given a parent that is killed, then its enclave is gone too', async () => {
    const parent = spawn(
      process.execPath,
      [
        fileURLToPath(new URL('./launch-enclave.test-parent.ts', import.meta.url)),
        imageDir,
        workDir,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const [line] = await once(parent.stdout, 'data')
    const orphan: { pid: number; endpoint: string } = JSON.parse(String(line))
    const stream = await connect(parseEndpoint(orphan.endpoint), { clock })
    const ended = once(stream.resume(), 'end')
    expect(runs(orphan.pid)).toBe(true)
    parent.kill('SIGKILL')
    await ended
    // The socket closes a moment before the kernel is done with the process.
    while (runs(orphan.pid)) await new Promise(setImmediate)
    stream.destroy()
  })
})
