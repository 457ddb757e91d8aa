import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isNewEnough, LEAST_NODE } from './least-node.ts'

test.each([
  ['20.20.2', false],
  ['22.14.0', false],
  ['22.15.0', true],
  ['22.23.3', true],
  ['24.0.0', true],
])('given Node %s, then it is told whether a devnet runs on it', (version, expected) => {
  expect(isNewEnough(version)).toBe(expected)
})

test('given the command, then it takes the same Node for the package', () => {
  const command = readFileSync(join(import.meta.dirname, '../../cli/rollbed.sh'), 'utf8')
  expect(command).toContain(`least=${LEAST_NODE};`)
})
