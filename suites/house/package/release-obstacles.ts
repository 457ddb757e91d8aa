export interface ReleaseFacts {
  /** Of package.json. */
  version: string
  /** Of package.json, by field: where provenance says that the sources are, and where users are sent. */
  addresses: Record<'repository' | 'bugs' | 'homepage', string>
  /** The text of CHANGELOG.md. */
  changelog: string
  /** What `git status --porcelain` prints. */
  changes: string
  /** The tag that is built, as GITHUB_REF_NAME has it. */
  tag: string | undefined
  /** Names of the records of evidence that were made with another executor. */
  staleEvidence: readonly string[]
  /** Whether the machine can sign provenance: a CI job with an identity. */
  canSign: boolean
}

/** Why this version must not be published; empty when nothing is in the way. */
export function releaseObstacles(facts: ReleaseFacts): string[] {
  const { version, changelog, tag } = facts
  const section = changelog.split(/^## /m).find((each) => each.startsWith(`${version} `))
  const obstacles: [boolean, string][] = [
    [facts.changes !== '', 'The working tree has changes: commit them.'],
    [!section, `CHANGELOG.md has no section "## ${version} – date": write one.`],
    [section?.trim().split('\n').length === 1, `The section ${version} of CHANGELOG.md is empty.`],
    [tag !== `v${version}`, `The tag is ${tag ?? 'missing'}, not v${version}: tag the commit.`],
    ...Object.entries(facts.addresses).map(([field, address]): [boolean, string] => [
      /\.example(?:[/:#?]|$)/.test(address),
      `"${field}" in package.json is ${address}: name the real one.`,
    ]),
    ...facts.staleEvidence.map((name): [boolean, string] => [
      true,
      `fixtures/evidence/${name}.json was made with another executor: run that body again.`,
    ]),
    [
      !facts.canSign,
      'Only a CI job with `id-token: write` can sign provenance: push the tag instead.',
    ],
  ]
  return obstacles.filter(([isThere]) => isThere).map(([, sentence]) => sentence)
}
