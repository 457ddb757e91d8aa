import { expect, test } from 'vitest'
import { parseFaultPlan } from '#devnet/faults/fault-plan'
import { optionsFor } from '#devnet/rollup/world/options-for'
import { startSimulatedWorld } from '#devnet/rollup/world/start-simulated-world'
import { parseLog } from '../judge-log.ts'
import { runWeather } from '../run-weather.ts'
import { DEPOSIT } from './derive-deposits.ts'
import { eventsOf } from './events-of.ts'
import { readInbox } from './read-inbox.ts'

test('given a world with transfers, when what its batcher posted is read anew, then each safe block with transfers is there', async () => {
  const plan = parseFaultPlan({ seed: 3, duration: 12_000, load: { transfers: 120, tokens: 60 } })
  await using world = await startSimulatedWorld(optionsFor(plan))
  const { ndjson, violations } = await runWeather(world, plan)
  const events = parseLog(ndjson)
  const [known] = eventsOf(events, 'chain.known')
  const inputs = eventsOf(events, 'l1.block').flatMap(({ batches }) => batches)
  const read = readInbox(inputs, known!)
  const safe = Number(events.findLast(({ what }) => what === 'safe.seen')?.data.number)
  const sealed = eventsOf(events, 'l2.block')
    .filter(({ number }) => number <= safe)
    .map(({ time, transactions }) => ({
      time,
      hashes: transactions.filter(({ type }) => type !== DEPOSIT).map(({ hash }) => hash),
    }))
    .filter(({ hashes }) => hashes.length > 0)
  expect(sealed.length).toBeGreaterThan(3)
  for (const { time, hashes } of sealed)
    expect(read.find((block) => block.time === time)?.transactions).toEqual(hashes)
  expect(violations).toEqual([])
})
