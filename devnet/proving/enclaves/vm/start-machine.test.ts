import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Clock } from '#protocol/clock/clock'
import { systemClock } from '#protocol/clock/system-clock'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { startMachine } from './start-machine.ts'

// Shell scripts play the programs; suites/prover/vm-lane has the real ones.

/** Makes the file of the socket, from `--vm guest-cid=…,socket=PATH,uds-path=…`. */
const DEVICE = `: > "$(echo "$2" | sed 's/.*,socket=//; s/,.*//')"; exec sleep 1000`
const MACHINE = '{"event":"machine","interfaces":["lo"]}'
const LISTENING = '{"event":"listening","port":8000}'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rb-'))
  mkdirSync(join(directory, 'image'))
})
afterEach(() => rmSync(directory, { recursive: true }))

function script(name: string, text: string): string {
  const path = join(directory, name)
  writeFileSync(path, `#!/bin/sh\necho $$ > ${path}.pid\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}

function start({
  device = DEVICE,
  machine = '',
  clock = systemClock as Clock,
  log = [] as string[],
} = {}) {
  const place = { directory, imageDir: join(directory, 'image'), socketPath: '' }
  return startMachine({
    tools: {
      qemu: script('qemu', machine),
      vsockDevice: script('vsock-device', device),
      setpriv: script('setpriv', 'shift 3; exec "$@"'),
      kernel: { path: '', release: '', modules: [] },
    },
    cid: 16,
    place,
    nodeBinary: '/bin/sh',
    clock,
    logger: pino({ level: 'info' }, { write: (line: string) => void log.push(line) }),
  })
}

const says = (...lines: string[]) => lines.map((line) => `echo '${line}'`).join('\n')
const stays = '\nexec sleep 1000'

/** Ids that the scripts left, of processes that still run. */
function running(): number[] {
  const files = readdirSync(directory).filter((name) => name.endsWith('.pid'))
  expect(files).toContain('vsock-device.pid')
  const pids = files.map((name) => Number(readFileSync(join(directory, name), 'utf8')))
  return [...new Set(pids)].filter((pid) => existsSync(`/proc/${pid}`))
}

describe('a machine', () => {
  test('when its enclave listens, then it is ready, and stopping it ends both processes', async () => {
    const log: string[] = []
    const machine = await start({ machine: says(MACHINE, LISTENING) + stays, log })
    expect(running()).toHaveLength(2)
    expect(running()).toContain(machine.pid)
    await Promise.all([machine.stop(), machine.stop()])
    expect(running()).toEqual([])
    expect(await machine.exited).toContain('SIGKILL')
    expect(JSON.parse(log[0]!)).toMatchObject({ msg: 'enclave machine', interfaces: ['lo'] })
  })

  test.each([
    ['that finds a network card', '{"event":"machine","interfaces":["lo","eth0"]}', 'eth0'],
    ['that does not tell', '{"event":"booted"}', 'does not tell'],
  ])('given one %s, then it is not isolated (ENC-PROTO-02)', async (_what, line, problem) => {
    const starting = start({ machine: says(line, LISTENING) + stays })
    await expect(starting).rejects.toMatchObject({
      code: 'ISOLATION_BROKEN',
      message: expect.stringContaining(problem),
    })
    expect(running()).toEqual([])
  })

  test('given one that ends before it listens, then the end of its console is shown, and that is bounded', async () => {
    const noise = 'i=0; while [ $i -lt 2000 ]; do echo noise; i=$((i+1)); done'
    const starting = start({ machine: `${noise}\n${says('Kernel panic')}\nexit 3` })
    const error = await starting.catch((error: Error) => error as Error & { code: string })
    expect(error).toMatchObject({
      code: 'ENCLAVE_START_FAILED',
      message: expect.stringMatching(/code 3.*Kernel panic$/s),
    })
    expect((error as Error).message.length).toBeLessThan(5_000)
    expect(running()).toEqual([])
  })

  test('given one that never listens, then it is given up after 180 s', async () => {
    const clock = new VirtualClock()
    const starting = start({ machine: says('waiting for root') + stays, clock })
    const failed = expect(starting).rejects.toThrow(/does not listen after 180 s/)
    while (!readdirSync(directory).includes('qemu.pid')) await new Promise(setImmediate)
    await clock.advance(180_000)
    await failed
    expect(running()).toEqual([])
  })
})

describe('a vsock device', () => {
  test('given one that ends, then the error says why', async () => {
    const starting = start({ device: 'echo "no such CID" >&2; exit 1' })
    await expect(starting).rejects.toThrow(/vhost-device-vsock: it ended with code 1. no such CID/)
    expect(readdirSync(directory)).not.toContain('qemu.pid')
  })

  test('given one that makes no socket, then it is given up after 10 s', async () => {
    const clock = new VirtualClock()
    const starting = start({ device: 'exec sleep 1000', clock })
    const failed = expect(starting).rejects.toThrow(/no socket after 10 s/)
    while (!readdirSync(directory).includes('vsock-device.pid')) await new Promise(setImmediate)
    await clock.advance(10_000)
    await failed
    expect(running()).toEqual([])
  })
})
