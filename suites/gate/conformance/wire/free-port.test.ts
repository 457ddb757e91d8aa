import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort } from './launch-host.ts'

test('given hosts that are still starting, when ports are asked for, then none is given twice', async () => {
  const ports = await Promise.all(Array.from({ length: 200 }, () => freePort()))
  expect(new Set(ports).size).toBe(200)
  // A system may hand these out by itself.
  expect(ports.filter((port) => port >= 32_768)).toEqual([])
})

test('given a port that is listened on, when its turn comes, then the one after it is given', async () => {
  const before = await freePort()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(before + 1, '127.0.0.1', resolve))
  expect(await freePort()).toBe(before + 2)
  await new Promise((resolve) => server.close(resolve))
})
