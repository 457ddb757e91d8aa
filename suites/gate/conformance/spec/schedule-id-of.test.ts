import { expect, test } from 'vitest'
import { scheduleIdOf } from './schedule-id-of.ts'

/** Of mainnet, as base/contracts has it in its test, with the ids that it publishes. */
const MAINNET = [
  1686789347, 1704992401, 1708560000, 1710374401, 1720627201, 1726070401, 1736445601, 0, 1746806401,
  1764691201, 1779991200, 1782410400, 0,
].map(BigInt)
const AT_BERYL = '0xadd4aa9bd3532969035a9543c16b8c7d71298e15836f0ac731fdd3eea552c6e2'
const WHOLE = '0x5ee41f186b0a439783060587cfbb942f6f1d94ecc76376c9782580c943ff2b6d'
const NONE = `0x${'00'.repeat(32)}`

test('given the schedule of mainnet, then its ids are the published ones', () => {
  expect(scheduleIdOf(MAINNET)).toBe(WHOLE)
  expect(scheduleIdOf(MAINNET, 1782410400n)).toBe(AT_BERYL)
  expect(scheduleIdOf(MAINNET, 1782410399n)).not.toBe(AT_BERYL)
})

test('given nothing that is active, then the id is zero', () => {
  expect(scheduleIdOf([0n, 0n], 5n)).toBe(NONE)
  expect(scheduleIdOf(MAINNET, 5n)).toBe(NONE)
})
