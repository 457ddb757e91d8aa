import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { ResourceStack } from '#devnet/base/process/owned-resource'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { EventRecorder } from './event-recorder.ts'
import { FaultEngine } from './fault-engine.ts'
import { faultyLines } from './fault-lines.ts'

const resources = new ResourceStack()
afterEach(() => resources.stop())

/** A service that answers with the number of its start. */
async function startCounting(count: number) {
  const server = createServer((_, response) => void response.end(`${count}`))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('given a service that did not come back, when it is restarted, then it is there again', async () => {
  const clock = new VirtualClock()
  const engine = new FaultEngine({ clock, recorder: new EventRecorder({ clock }) })
  const lines = faultyLines({ engine, clock, seed: 1, workDir: '/nowhere', resources })
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
