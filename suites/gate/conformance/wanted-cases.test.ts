import { describe, expect, test } from 'vitest'
import { catalogueVersion } from '#fixtures/rules/case-versions'
import { ClaimNotJudged, NoSuchCase, NoSuchVersion, wantedCases } from './wanted-cases.ts'

const rpc = 'http://127.0.0.1:1'
const idsOf = (options: Parameters<typeof wantedCases>[0]) =>
  wantedCases(options).cases.map(({ id }) => id)

describe('given claims', () => {
  test('when what they are judged by is given, then their cases are wanted and no others', () => {
    const ids = idsOf({ targets: { rpc, challenger: 'true' }, claims: ['challenger'] })
    expect(ids.length).toBeGreaterThan(0)
    expect(ids.filter((id) => !id.startsWith('caller.challenger.'))).toEqual([])
  })

  test.each([
    ['challenger', { rpc }, '--challenger'],
    ['builder-codes', { rpc }, '--api'],
    ['prover-host', { rpc }, '--prover'],
    ['today', { rpc }, '--profile today'],
  ] as const)('when %s has only %j, then it names %s', (claim, targets, flag) => {
    const want = () => wantedCases({ targets, claims: ['reads', claim] })
    expect(want).toThrow(ClaimNotJudged)
    expect(want).toThrow(`${claim} cannot be judged without ${flag}.`)
  })

  test('when a profile retired all of one, then it names the profile that has it', () => {
    const want = () => wantedCases({ targets: { rpc }, profile: 'today', claims: ['pending'] })
    expect(want).toThrow('without --profile base.')
  })

  test('when --only names none of theirs, then it says so', () => {
    const want = () => wantedCases({ targets: { rpc }, claims: ['reads'], only: 'host.*' })
    expect(want).toThrow(NoSuchCase)
    expect(want).toThrow(expect.objectContaining({ hint: expect.stringContaining('of reads.') }))
  })

  test('when a shard has none of theirs, then it is empty, and no mistake', () => {
    const targets = { client: 'true' }
    expect(idsOf({ targets, claims: ['client'], cases: [] })).toEqual([])
  })
})

describe('given a version of the catalogue', () => {
  test('when there is one, then later cases are left out', () => {
    const counts = [1, 2, catalogueVersion()].map(
      (rulesVersion) => idsOf({ targets: { rpc }, rulesVersion }).length,
    )
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(new Set(counts).size).toBe(3)
    expect(idsOf({ targets: { rpc } }).length).toBe(counts[2])
  })

  test.each([0, -1, 1.5, 7, Number.NaN])('when it is %d, then it is refused', (rulesVersion) => {
    expect(() => wantedCases({ targets: { rpc }, rulesVersion })).toThrow(NoSuchVersion)
  })
})
