import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ReleaseFacts, releaseObstacles } from './release-obstacles.ts'

const READY: ReleaseFacts = {
  version: '1.2.0',
  addresses: {
    repository: 'git+https://host.test/rollbed.git',
    bugs: 'https://host.test/rollbed/issues',
    homepage: 'https://host.test/rollbed#readme',
  },
  changelog:
    '# Changelog\n\n## Unreleased\n\n## 1.2.0 – 2026-12-01\n\n- A line.\n\n## 1.1.0 – 2026-11-30\n',
  changes: '',
  tag: 'v1.2.0',
  staleEvidence: [],
  canSign: true,
}

describe('a release', () => {
  test('given a tagged commit with its section in the changelog, then nothing is in the way', () => {
    expect(releaseObstacles(READY)).toEqual([])
  })

  test.each<[string, Partial<ReleaseFacts>, RegExp]>([
    ['changes', { changes: ' M README.md' }, /commit them/],
    ['no section', { version: '1.3.0', tag: 'v1.3.0' }, /no section "## 1\.3\.0/],
    [
      'a section of another version that begins alike',
      { version: '1.1', tag: 'v1.1' },
      /no section/,
    ],
    ['an empty section', { version: '1.1.0', tag: 'v1.1.0' }, /is empty/],
    ['another tag', { tag: 'v1.1.0' }, /tag is v1\.1\.0, not v1\.2\.0/],
    ['no tag', { tag: undefined }, /tag is missing/],
    ['evidence of before', { staleEvidence: ['a-body'] }, /a-body\.json .* run that body again/],
    ['no identity to sign with', { canSign: false }, /provenance/],
  ])('given %s, then one sentence says what to do', (_, change, sentence) => {
    expect(releaseObstacles({ ...READY, ...change })).toEqual([expect.stringMatching(sentence)])
  })

  test.each([
    ['repository', 'git+https://git.rollbed.example/rollbed.git'],
    ['bugs', 'https://git.rollbed.example/rollbed/issues'],
    ['bugs', 'mailto:bugs@rollbed.example'],
    ['homepage', 'https://rollbed.example#readme'],
  ])(
    'given a placeholder as "%s", %s, then one sentence asks for the real one',
    (field, address) => {
      const addresses = { ...READY.addresses, [field]: address }
      expect(releaseObstacles({ ...READY, addresses })).toEqual([
        `"${field}" in package.json is ${address}: name the real one.`,
      ])
    },
  )

  test('given this repository, then its version has a section in the changelog', () => {
    const read = (name: string) =>
      readFileSync(join(import.meta.dirname, '..', '..', '..', name), 'utf8')
    const { version } = JSON.parse(read('package.json'))

    const facts = { ...READY, version, tag: `v${version}`, changelog: read('CHANGELOG.md') }
    expect(releaseObstacles(facts)).toEqual([])
  })
})
