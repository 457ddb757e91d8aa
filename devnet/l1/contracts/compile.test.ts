import { expect, test } from 'vitest'
import { compileContracts, findStaleArtifacts } from './compile.ts'

test('given the Solidity sources, when compiled again, then fixtures/contracts is what comes out', () => {
  const files = compileContracts()
  expect(findStaleArtifacts(files)).toEqual([])
  files.set('L1Block.json', '{}')
  files.delete('WETH9.json')
  files.set('New.json', '{}')
  expect(findStaleArtifacts(files)).toEqual(['L1Block.json', 'New.json', 'WETH9.json'])
  // The compiler needs some 15 s of a processor that may be shared.
})
