import { expect, test } from 'vitest'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import { TrackedRequests } from './tracked-requests.ts'

test('given a line that turns bytes over, when it makes another question of one, then the refusal is not told as a word of who was asked', async () => {
  await using world = await startSimulatedWorld({ seed: 1, actors: false, enclaves: 0 })
  const requests = new TrackedRequests(world)
  await world.faults.inject('link:client-l2', 'corrupt', { share: 1 })
  const refusals: string[] = []
  world.recorder.on(({ what, data }) => {
    if (what === 'request.done' && data.outcome === 'error') refusals.push(String(data.message))
  })
  const asked = Array.from({ length: 20 }, () => requests.rpc('client.0', 'l2', 'eth_chainId', []))
  // As long as each of them may take.
  await world.runUntil(world.now() + 15_000)
  const messages = (await Promise.all(asked)).map(({ error }) => error?.message)
  // The node did refuse what it read: without that nothing is shown here.
  expect(refusals.some((message) => message.startsWith('eth_chainId: '))).toBe(true)
  const garbled = 'The line turned bytes over: nobody knows what was answered.'
  expect(new Set(messages)).toEqual(new Set([garbled]))
})
