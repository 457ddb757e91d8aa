import { expect, test } from 'vitest'
import { compileContracts, findStaleArtifacts } from '#devnet/l1/contracts/compile'
import { contractNames } from '#fixtures/contracts/load-contract'
import { drawnBy, drawShare } from '#suites/weather/drawn-by'

test(`given the contracts that ROLLBED_DRAW=${drawnBy} draws, when compiled again, then fixtures/contracts is what comes out`, () => {
  const names = drawShare(drawnBy, contractNames, 1 / 4)
  const files = compileContracts(names)
  expect(files.size).toBe(2 * names.length)
  expect(findStaleArtifacts(files, names)).toEqual([])
  const [first, second] = names
  files.set(`${first}.json`, '{}')
  files.delete(`${second}.json`)
  files.set('New.json', '{}')
  const stale = ['New.json', `${first}.json`, `${second}.json`]
  expect(findStaleArtifacts(files, names)).toEqual(stale.sort())
})
