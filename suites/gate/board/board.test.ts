import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { BOARD_TARGETS, boardTarget } from './board-targets.ts'

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
