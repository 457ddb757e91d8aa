import { expect, test } from 'vitest'
import type { ErrorCode } from '#protocol/errors/error-table'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { exitCodeOf } from './exit-code.ts'

const USAGE = 2
const ENVIRONMENT = 3

test.each<[ErrorCode, number]>([
  ['DEVNET_UNREACHABLE', ENVIRONMENT],
  ['RPC_UNREACHABLE', ENVIRONMENT],
  ['UPGRADES_INVALID', USAGE],
  ['ENCLAVES_UNFIT', USAGE],
  ['DEVNET_REFUSED', 1],
  ['INTERRUPTED', 130],
])('given %s, then the exit code is %i', (code, exitCode) => {
  expect(exitCodeOf(new RollbedError(code, 'It went wrong.'))).toBe(exitCode)
})

test('given an error that is none of ours, then the exit code is 1', () => {
  expect(exitCodeOf(new Error('It went wrong.'))).toBe(1)
})
