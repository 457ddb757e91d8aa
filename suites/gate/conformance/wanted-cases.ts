import { catalogueVersion, sinceVersion } from '#fixtures/rules/case-versions'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { areasOf, type Claim } from './claims.ts'
import { type ConformanceCase, fitsProfile, type Profile } from './conformance-case.ts'
import { selectCases } from './select-cases.ts'
import { flagOf, type Targets } from './targets.ts'

/** What picks the cases of a run. */
export interface Wanted {
  targets: Targets
  /** Default spec. */
  profile?: Profile
  /** Only cases that this version of the catalogue had. Default: all. */
  rulesVersion?: number
  /** A case id, area, rule id or globs of them, separated by commas. */
  only?: string
  /** Default: every case of the registry. */
  cases?: readonly ConformanceCase[]
  /** Only what these say: cases of other areas are left out, and rules that none of theirs quotes. */
  claims?: readonly Claim[]
}

/** `only` names no case, or none of what is claimed. */
export class NoSuchCase extends RollbedError {
  constructor(only: string, claims: readonly Claim[] = []) {
    super('NO_SUCH_CASE', `No conformance case fits "${only}".`, {
      hint:
        claims.length > 0
          ? `Give the id or the area of a case of ${claims.join(', ')}.`
          : 'Give a case id, an area, a rule id, or a glob such as "rpc.block.*".',
    })
  }
}

/** A claim that nothing given can be judged by: a run of it would be of nothing, and green. */
export class ClaimNotJudged extends RollbedError {
  constructor(claim: Claim, flags: readonly string[]) {
    super('CLAIM_NOT_JUDGED', `The claim ${claim} cannot be judged without ${flags.join(', ')}.`, {
      hint: 'Give what it needs as well, or leave the claim out.',
    })
  }
}

/** A version of the catalogue that there is not. */
export class NoSuchVersion extends RollbedError {
  constructor(version: number) {
    const newest = catalogueVersion()
    super('NO_SUCH_VERSION', `The catalogue of cases has no version ${version}.`, {
      hint: `Its versions are 1 to ${newest}; ${newest} is the one that is being made, with every case.`,
    })
  }
}

/**
 * The cases of a run, before anything is asked of a target. A list of `cases` may come to none: a shard can be empty.
 *
 * @returns those that are wanted, and of them those that the targets and the profile have
 * @throws NoSuchVersion (NO_SUCH_VERSION)
 * @throws ClaimNotJudged (CLAIM_NOT_JUDGED)
 * @throws NoSuchCase (NO_SUCH_CASE) when `only` fits none
 */
export function wantedCases(options: Wanted): {
  wanted: readonly ConformanceCase[]
  cases: readonly ConformanceCase[]
} {
  const { targets, profile = 'spec', only, claims = [] } = options
  const rulesVersion = versionOf(options.rulesVersion)
  for (const claim of claims) judgeable(claim, options)
  const claimed = areasOf(claims)
  const wanted = (options.cases ?? selectCases(only)).filter(
    ({ area }) => claims.length === 0 || claimed.has(area),
  )
  if (wanted.length === 0 && !options.cases) throw new NoSuchCase(only ?? '', claims)
  const isOfVersion = ({ id }: ConformanceCase) => sinceVersion(id) <= rulesVersion
  const cases = wanted.filter(
    (test) => isOfVersion(test) && lacks(test, targets).length === 0 && fitsProfile(test, profile),
  )
  return { wanted, cases }
}

/** The version that was asked for, or the newest. @throws NoSuchVersion (NO_SUCH_VERSION) */
export function versionOf(version = catalogueVersion()): number {
  const isThere = Number.isInteger(version) && version >= 1 && version <= catalogueVersion()
  if (!isThere) throw new NoSuchVersion(version)
  return version
}

/** That some case of a claim can run. @throws ClaimNotJudged (CLAIM_NOT_JUDGED), with what the nearest lacks */
export function judgeable(
  claim: Claim,
  { targets, profile = 'spec', cases = [] }: Pick<Wanted, 'targets' | 'profile' | 'cases'>,
): void {
  const areas = areasOf([claim])
  const lacking = [...selectCases(), ...cases]
    .filter(({ area }) => areas.has(area))
    .map((test) => [
      ...lacks(test, targets).map(flagOf),
      ...(fitsProfile(test, profile) ? [] : [`--profile ${test.profiles?.[0] ?? 'base'}`]),
    ])
  const [least = []] = lacking.toSorted((a, b) => a.length - b.length)
  if (least.length > 0) throw new ClaimNotJudged(claim, least)
}

/** Targets that are not given; a missing driver is said per case. */
function lacks(test: ConformanceCase, targets: Targets): (keyof Targets)[] {
  return test.needs
    .filter((need) => need !== 'driver')
    .filter((need) => targets[need] === undefined)
}
