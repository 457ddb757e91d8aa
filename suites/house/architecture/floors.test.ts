import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importsOf } from './imports-of.ts'
import { ROOT, type SourceFile, sourceFiles } from './source-files.ts'

/** The floors of a house, ground floor first: the rows of its table in ARCHITECTURE.md. */
interface House {
  /** The folder whose folders are the floors. */
  folder: string
  floors: string[]
  /** The house next door that it may also use. */
  neighbour?: string
  /** Rooms below the house, which all of its floors may use. */
  foundations?: string[]
}

const [protocol, enclave, devnet] = floorTables(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8'))
const houses: House[] = [
  { folder: 'enclave-sim/protocol', floors: protocol! },
  { folder: 'enclave-sim', floors: enclave!, neighbour: 'protocol' },
  { folder: 'devnet', floors: devnet!, foundations: ['enclave-sim', 'fixtures', 'package.json'] },
]

/** The first column of each table whose head is `Floor`. */
function floorTables(markdown: string): string[][] {
  return [...markdown.matchAll(/^\| Floor \|.*\n\|[-|]+\|\n((?:\|.*\n)+)/gm)].map(([, rows]) =>
    [...rows!.matchAll(/^\| `([a-z0-9-]+(?:\.ts)?)` \|/gm)].map((match) => match[1]!),
  )
}

/** The imports of one file that climb to a higher floor or leave the house. */
function climbs(
  { folder, floors, neighbour, foundations = [] }: House,
  path: string,
  text: string,
): string[] {
  const floorOf = (file: string) => file.slice(folder.length + 1).split('/')[0]!
  const own = floors.indexOf(floorOf(path))
  if (!path.startsWith(`${folder}/`) || own < 0) return []
  return importsOf(path, text)
    .filter((target) => {
      if (path.endsWith('.test.ts') && target.startsWith('fixtures/')) return false
      if (!target.startsWith(`${folder}/`)) return !foundations.includes(target.split('/')[0]!)
      if (floorOf(target) === neighbour) return false
      const floor = floors.indexOf(floorOf(target))
      return floor < 0 || floor > own
    })
    .map((target) => `${path} imports ${target}`)
}

/**
 * What stands on the floors. A unit test of the devnet may bring up more than its unit, and its
 * commands stand outside of the rooms' rules (imports.test.ts).
 */
function housed({ folder }: House): SourceFile[] {
  const all = sourceFiles()
  if (folder !== 'devnet') return all
  return all.filter(({ path }) => !/\.test\.tsx?$|\/testing\/|^devnet\/cli\//.test(path))
}

describe.each(houses)('the floors of $folder', (house) => {
  test('given its folders, then ARCHITECTURE.md names each as a floor', () => {
    const folders = readdirSync(join(ROOT, house.folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== house.neighbour)
      .map((entry) => entry.name)
    expect(house.floors.filter((floor) => !floor.endsWith('.ts')).sort()).toEqual(folders.sort())
  })

  test('given every file, then none imports from a floor above its own', () => {
    expect(housed(house).flatMap(({ path, text }) => climbs(house, path, text))).toEqual([])
  })
})

describe('an import that climbs', () => {
  test.each([
    ['enclave-sim/protocol/trie/trie.ts', '../execution/header.ts', 0],
    ['enclave-sim/protocol/trie/trie.ts', '../../wire/frame.ts', 0],
    ['enclave-sim/wire/frame.ts', '../server/serve.ts', 1],
    ['devnet/l1/start-l1.ts', '../l2/node/start-node.ts', 2],
    ['devnet/rollup/start/start-base.ts', '../../start-devnet.ts', 2],
  ])('given %s that imports %s, then it is found', (path, target, house) => {
    const text = `import { x } from '${target}'`
    const found = posix.join(posix.dirname(path), target)
    expect(climbs(houses[house]!, path, text)).toEqual([`${path} imports ${found}`])
  })
})
