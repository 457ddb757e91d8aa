import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { selectCases } from '#suites/gate/conformance/index'
import { ROOT } from './source-tree.ts'

const PAGE = join(ROOT, 'devnet/docs/judging-callers.md')
const ROW = /^\| (`caller\.[^|]+) \|/gm
const FULL = /^caller\.(\w+)\.(.+)(\.\d+)$/

/** `caller.proposer.busy-host.01`, `busy-l1.01`, `.02`: what an id leaves out is that of the one before. */
function idsIn(cell: string): string[] {
  let [, kind, name] = FULL.exec(cell.split('`')[1]!)!
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, id]) => {
    const full = id!.startsWith('caller.')
      ? id!
      : `caller.${kind}.${id!.startsWith('.') ? name : ''}${id}`
    ;[, kind, name] = FULL.exec(full)!
    return full
  })
}

test('given the page of callers, then its table has a row for each of their cases, and for no other', () => {
  const page = readFileSync(PAGE, 'utf8')
  const rows = [...page.matchAll(ROW)].flatMap(([, cell]) => idsIn(cell!))
  const cases = selectCases('caller.*').map(({ id }) => id)
  expect(rows.toSorted()).toEqual(cases.toSorted())
})
