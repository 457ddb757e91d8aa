import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkIsolation } from '#devnet/proving/enclaves/check-isolation'
import { availableIsolation, type Isolation } from '#devnet/proving/enclaves/isolation'
import { launchEnclave } from '#devnet/proving/enclaves/launch-enclave'
import { startEnclaveProcess } from '#devnet/proving/enclaves/start-enclave-process'
import type { EnclaveProcess } from '#devnet/proving/enclaves/supervise-enclave'
import { createSimRoot } from '#enclave/security-module/sim/certificate-chain'
import { systemClock as clock } from '#protocol/clock/system-clock'
import { systemRng as rng } from '#protocol/random/rng'

/** Source: asm-generic/errno.h, linux/socket.h. */
const EAFNOSUPPORT = 97
const AF_UNIX = 1

interface Probed {
  tcp: string
  /** errno of socket(2) by address family; 0 where it opened. */
  families: Record<string, number>
  interfaces: string
  unshare: string
  write: string
  root: string[]
  environment: object
  uid: number
}

const strongest = await availableIsolation()
const possible: Record<Isolation, boolean> = {
  bwrap: strongest === 'bwrap',
  netns: strongest === 'bwrap' || strongest === 'netns',
  seccomp: process.platform === 'linux',
  none: process.platform === 'linux',
}
const directory = mkdtempSync(join(tmpdir(), 'rb-'))
const program = join(import.meta.dirname, 'probe-machine.mjs')
let outside: Server

beforeAll(async () => {
  outside = createServer((socket) => socket.destroy())
  await once(outside.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  outside.close()
  rmSync(directory, { recursive: true })
})

/** Starts the probe as an enclave is started. */
async function probe(isolation: Isolation): Promise<EnclaveProcess & { probed: Probed }> {
  const imageDir = join(mkdtempSync(join(directory, 'e-')), 'image')
  cpSync(program, join(imageDir, 'enclave.mjs'))
  const { port } = outside.address() as AddressInfo
  writeFileSync(join(imageDir, 'probe.json'), JSON.stringify({ port }))
  const lines: string[] = []
  const child = await startEnclaveProcess({
    isolation,
    nodeBinary: process.execPath,
    imageDir,
    program: join(imageDir, 'enclave.mjs'),
    clock,
    logger: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }),
  })
  const probed = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'enclave probed')
  return { ...child, probed }
}

describe.each(['bwrap', 'netns', 'seccomp'] as const)('isolation by %s', (isolation) => {
  let enclave: EnclaveProcess & { probed: Probed }
  const here = possible[isolation]
  beforeAll(async () => {
    if (here) enclave = await probe(isolation)
  })
  afterAll(async () => enclave?.stop())
  const inside = test.skipIf(!here)

  inside('leaves sockets of the UNIX family only, AF_VSOCK not among them (ENC-PROTO-02)', () => {
    const { [AF_UNIX]: unix, ...others } = enclave.probed.families
    expect(unix).toBe(0)
    expect(Object.keys(others)).toHaveLength(45)
    expect(new Set(Object.values(others))).toEqual(new Set([EAFNOSUPPORT]))
  })

  inside('does not reach a server of this machine (ENC-PROTO-02)', () => {
    expect(enclave.probed.tcp).toBe('EAFNOSUPPORT')
    expect(enclave.probed.interfaces).toBe('ERR_SYSTEM_ERROR')
  })

  inside('lets nobody leave for another namespace', () => {
    expect(enclave.probed.unshare).toBe('exit 1')
  })

  inside('gives no environment (ENC-START-08)', () => {
    expect(enclave.probed.environment).toEqual({})
  })

  inside('passes the check from outside, which fails for anything weaker', async () => {
    await expect(checkIsolation(isolation, enclave.pid)).resolves.toBeUndefined()
    if (isolation === 'netns')
      await expect(checkIsolation('bwrap', enclave.pid)).rejects.toThrow('our pid namespace')
    if (isolation === 'seccomp')
      await expect(checkIsolation('netns', enclave.pid)).rejects.toThrow('our net namespace')
  })

  test.skipIf(!here || isolation !== 'bwrap')(
    'given bwrap, then the machine and its files are hidden, as nobody',
    () => {
      const { root, uid, write } = enclave.probed
      expect(root).not.toContain('home')
      expect(root).not.toContain('etc')
      expect(uid).toBe(65534)
      expect(write).toBe('EROFS')
    },
  )
})

describe('without isolation', () => {
  test.runIf(possible.none)(
    'given the probe, then it does reach out, so that it can fail',
    async () => {
      const enclave = await probe('none')
      try {
        expect(enclave.probed.tcp).toBe('connected')
        expect(enclave.probed.families['2']).toBe(0)
        await expect(checkIsolation('seccomp', enclave.pid)).rejects.toThrow('no seccomp filter')
        await expect(checkIsolation('netns', enclave.pid)).rejects.toMatchObject({
          code: 'ISOLATION_BROKEN',
        })
      } finally {
        await enclave.stop()
      }
    },
  )

  test.each(['seccomp', 'none'] as const)(
    'given a launch with %s, then it is an error',
    async (isolation) => {
      const root = createSimRoot({ clock, rng })
      const logger = pino({ level: 'silent' })
      const launched = launchEnclave({
        cid: 16,
        imageDir: directory,
        root,
        clock,
        rng,
        logger,
        isolation,
      })
      await expect(launched).rejects.toMatchObject({
        code: 'ISOLATION_UNAVAILABLE',
        hint: expect.stringContaining('--insecure-no-netns'),
      })
    },
  )
})
