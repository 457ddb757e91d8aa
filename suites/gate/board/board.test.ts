import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { writeReports } from '#reports/index'
import { sampleRun } from '#reports/sample-run'
import { PROFILES } from '../conformance/conformance-case.ts'
import { wantedCases } from '../conformance/wanted-cases.ts'
import { BOARD_TARGETS, boardTarget, claimsOf } from './board-targets.ts'

interface Workflow {
  jobs: Record<
    string,
    { strategy?: { matrix: { target: string[] } }; steps: readonly { run?: string }[] }
  >
}

const workflow = parse(
  readFileSync(join(import.meta.dirname, '../../../.github/workflows/board.yml'), 'utf8'),
) as Workflow

test('given the workflow of the board, then it judges each target of the list, and writes the page', () => {
  const { judge, board } = workflow.jobs
  expect(judge?.strategy?.matrix.target).toEqual(BOARD_TARGETS.map(({ name }) => name))
  const runs = (job: typeof judge) => job?.steps.flatMap(({ run }) => run ?? []).join('\n')
  expect(runs(judge)).toContain('npm run board -- judge "$TARGET" judged')
  expect(runs(board)).toContain('npm run board -- write board judged')
})

test('given a name, then its target is told, and an unknown one with all that there are', () => {
  expect(boardTarget('anvil-1.7.1').package).toBe('@foundry-rs/anvil@1.7.1')
  expect(boardTarget('ganache-7.9.2').command?.('8545')).toContain('8545')
  expect(() => boardTarget('geth-1')).toThrow(/no target geth-1, only anvil-1.7.1/)
})

test('given the list, then it has each profile of ours, and of each package several versions', () => {
  const own = BOARD_TARGETS.filter((target) => !target.package)
  expect(new Set(own.map(({ profile }) => profile))).toEqual(new Set(PROFILES))
  const packages = BOARD_TARGETS.flatMap((target) => target.package ?? [])
  const names = packages.map((each) => each.slice(0, each.lastIndexOf('@')))
  for (const name of names)
    expect(names.filter((each) => each === name).length, name).toBeGreaterThan(1)
})

test('given a target, then a node and its streams are all that its claims need', () => {
  const targets = { rpc: 'http://127.0.0.1:1', ws: 'ws://127.0.0.1:1' }
  for (const target of BOARD_TARGETS) {
    const { profile = 'spec' } = target
    const { cases } = wantedCases({ targets, profile, claims: claimsOf(target) })
    expect(cases.length, target.name).toBeGreaterThan(300)
  }
})

describe('the page of the board', () => {
  let folder: string
  const inside = (name: string) => join(folder, name)
  const write = (...args: string[]) =>
    promisify(execFile)(process.execPath, [
      join(import.meta.dirname, 'run-board.ts'),
      ...['write', ...args],
    ])

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rollbed-board-test-'))
    for (const name of ['board', 'judged', 'nothing']) await mkdir(inside(name))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('given no run at all, then it is not written: the command says so and fails', async () => {
    const refused = await write(inside('board'), inside('nothing')).catch((error) => error)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no run') })
    expect(existsSync(inside('board/broken.txt'))).toBe(false)
  })

  test('given a run that breaks a rule, then the page is there, with what it breaks', async () => {
    await writeReports(sampleRun(), { dir: inside('judged/sample'), formats: ['json'] })
    await write(inside('board'), inside('judged'))
    expect(await readFile(inside('board/index.html'), 'utf8')).toContain('sample')
    const [failed] = sampleRun().cases.filter(({ verdict }) => verdict === 'fail')
    expect(await readFile(inside('board/broken.txt'), 'utf8')).toContain(failed!.id)
  })
})
