import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { urlOf } from '#devnet/base/process/url-of'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { EventRecorder } from './event-recorder.ts'
import { FaultEngine } from './fault-engine.ts'
import { faultyLines } from './fault-lines.ts'

let resources: ResourceStack
beforeEach(() => {
  resources = new ResourceStack()
})
afterEach(() => resources.stop())

function newLines() {
  const clock = new VirtualClock()
  const engine = new FaultEngine({ clock, recorder: new EventRecorder({ clock }) })
  const lines = faultyLines({ engine, clock, seed: 1, workDir: '/nowhere', resources })
  return { clock, engine, lines }
}

/** A service that answers with the number of its start. */
async function startCounting(count: number, host = '127.0.0.1') {
  const server = createServer((_, response) => void response.end(`${count}`))
  server.listen(0, host)
  await once(server, 'listening')
  return {
    url: urlOf(host, (server.address() as AddressInfo).port),
    async stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('given a service that did not come back, when it is restarted, then it is there again', async () => {
  const { clock, engine, lines } = newLines()
  let starts = 0
  const served = await lines.serve({
    ...{ link: 'link:client-api', process: 'process:api', service: 'test' },
    ...{ host: '127.0.0.1', port: 0 },
    async start() {
      starts += 1
      if (starts === 2) throw new Error('no memory')
      return await startCounting(starts)
    },
  })
  resources.add(served)
  const restart = async () => {
    const outcome = engine.inject('process:api', 'restart').then(
      ({ fault }) => fault,
      (error: Error) => error.message,
    )
    await clock.advance(200)
    return await outcome
  }
  expect([await restart(), await restart()]).toEqual(['no memory', 'restart'])
  const answer = await fetch(served.url)
  expect(await answer.text()).toBe('3')
})

test.each(['127.0.0.1', '::1'])(
  'given a service on %s, then its callers reach it through their link',
  async (host) => {
    const service = resources.add(await startCounting(1, host))
    const url = await newLines().lines.through('link:host-l1', `${service.url}/path`)
    expect(new URL(url).pathname).toBe('/path')
    expect(await (await fetch(url)).text()).toBe('1')
  },
)
