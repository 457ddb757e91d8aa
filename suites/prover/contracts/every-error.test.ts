import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Abi, AbiItem } from 'viem'
import { expect, test } from 'vitest'
import { contractNames, loadContract } from '#fixtures/contracts/load-contract'

const suites = join(import.meta.dirname, '..')
/** Where contracts run on anvil and `revertOf` says what they revert with. */
const tests = globSync('{contracts,actors}/*.test.ts', { cwd: suites })
  .map((file) => readFileSync(join(suites, file), 'utf8'))
  .join('\n')

const errors = contractNames.flatMap((contract) =>
  (loadContract(contract).abi as Abi)
    .filter((item: AbiItem) => item.type === 'error')
    .map(({ name }) => [name, contract] as const),
)

/** `'Name()'`, or `/^Name\(/` of an error with arguments. */
const expected = new Set(
  [...tests.matchAll(/['"`^](\w+)(?:\\*\(|\b(?=\/))/g)].map(([, name]) => name),
)

test.each(errors)('given %s of %s, then some test expects it', (name) => {
  expect(expected).toContain(name)
})
