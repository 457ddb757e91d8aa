import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { EventRecorder } from '#devnet/faults/event-recorder'
import { FaultEngine } from '#devnet/faults/fault-engine'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { run } from './run.ts'

let folder: string
let out: string[]
let errors: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fault-'))
  out = []
  errors = []
  vi.spyOn(console, 'log').mockImplementation((line) => void out.push(String(line)))
  vi.spyOn(console, 'error').mockImplementation((line) => void errors.push(String(line)))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

describe('rollbed fault', () => {
  test('given list --json, then one array of name, story, rules and targets', async () => {
    expect(await run(['fault', 'list', '--json'])).toBe(0)
    const rows = JSON.parse(out.join('')) as Record<string, unknown>[]
    expect(rows.length).toBeGreaterThanOrEqual(60)
    expect(rows[0]).toMatchObject({
      name: 'users-down',
      story: expect.stringMatching(/\w/),
      rules: [],
      targets: ['link:client-l2'],
    })
  })

  test('given a log in which a false claim was signed, when judged, then exit 1 names it', async () => {
    const file = join(folder, 'events.ndjson')
    const lines = [
      {
        t: 1,
        who: 'c',
        what: 'proof.asked',
        data: { id: 1, claimIsTrue: false, block: 5, root: '0x' },
      },
      { t: 2, who: 'c', what: 'proof.made', data: { id: 1, block: 5, root: '0x' } },
      { t: 3, who: 'w', what: 'weather.over', data: {} },
      { t: 4, who: 'p', what: 'probe.done', data: { isWell: true } },
    ]
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    expect(await run(['fault', 'judge', file])).toBe(1)
    expect(out.join('\n')).toMatch(/1 violations[\s\S]*2 ms {2}no-false-signature/)
  })

  test.each([
    [['fault', 'run', 'no-such-thing', '--real'], /no story 'no-such-thing'/],
    [['fault', 'judge', '/nowhere/at/all'], /cannot be read/],
    [['fault', 'inject', 'link:host-l1', 'latency', '--with', '5'], /name=value/],
    [['up', '--faults', '/nowhere/at/all'], /cannot be read as JSON/],
  ])('given %j, then exit 2 says what is wrong', async (args, message) => {
    expect(await run(args)).toBe(2)
    expect(errors.join('\n')).toMatch(message)
  })

  test.each([
    { what: 'lasts', target: 'link:host-l1', fault: 'latency', says: /fault clear --id 1'/ },
    { what: 'is over at once', target: 'process:host', fault: 'kill', says: /nothing to clear/ },
  ] as const)(
    'given a fault that $what, when it is injected, then the line says so',
    async ({ target, fault, says }) => {
      const clock = new VirtualClock()
      const engine = new FaultEngine({ clock, recorder: new EventRecorder({ clock }) })
      engine.register('link:host-l1', { latency: () => () => {} })
      engine.register('process:host', { kill: () => undefined })
      const devnet = createServer(async (request, response) => {
        const { params } = Object(await json(request))
        const [wanted, name, parameters] = params
        response.end(
          JSON.stringify({ id: 1, result: await engine.inject(wanted, name, parameters) }),
        )
      })
      await once(devnet.listen(0, '127.0.0.1'), 'listening')
      const url = `http://127.0.0.1:${(devnet.address() as AddressInfo).port}`
      expect(await run(['fault', 'inject', target, fault, '--rpc', url])).toBe(0)
      expect(out.join('')).toMatch(says)
      devnet.closeAllConnections()
      await once(devnet.close(), 'close')
    },
  )
})
