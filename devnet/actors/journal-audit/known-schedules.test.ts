import { expect, test } from 'vitest'
import { KNOWN_SCHEDULES } from './known-schedules.ts'

test('given the schedule of Base mainnet, then its ids are those that base/contracts tests for', () => {
  // base/contracts, test/L1/ProtocolVersions.t.sol; the last two follow from announced times.
  expect(KNOWN_SCHEDULES.map(({ id }) => id)).toEqual([
    '0xadd4aa9bd3532969035a9543c16b8c7d71298e15836f0ac731fdd3eea552c6e2',
    '0x5ee41f186b0a439783060587cfbb942f6f1d94ecc76376c9782580c943ff2b6d',
    '0x3d6185fc0e020da273b0abec02bd96263cd2f079f9f88db097fa683fb74ac896',
    '0xa7e0db8fbcc1f948bc5fdb3c8957f40a430e1b24942b3635543abb4d6934b68d',
  ])
})
