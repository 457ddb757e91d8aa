import { expect, test } from 'vitest'
import { countRounds } from './count-rounds.ts'

test('given rounds, then they are counted by outcome, failed ones as error', async () => {
  const kinds = ['waiting', 'created', undefined, 'waiting']
  const { rounds, registry } = countRounds('proposer', {
    async round() {
      const kind = kinds.shift()
      if (!kind) throw new Error('L1 is gone')
      return { kind, idle: true }
    },
  })
  await rounds.round()
  await rounds.round()
  await expect(rounds.round()).rejects.toThrow('L1 is gone')
  await rounds.round()
  const series = (outcome: string) =>
    `rollbed_actor_rounds_total{actor="proposer",outcome="${outcome}"}`
  const text = await registry.metrics()
  expect(text).toContain(`${series('waiting')} 2\n`)
  expect(text).toContain(`${series('created')} 1\n`)
  expect(text).toContain(`${series('error')} 1\n`)
})
