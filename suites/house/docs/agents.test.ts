import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TOOLS } from '#devnet/cli/mcp/tools'
import { METHOD_TABLE } from '#devnet/l2/node/rpc/method-table'
import { ROOT } from './source-tree.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

test('given the tools of rollbed mcp, then the page names each, and none that is not there', () => {
  const page = read('devnet/docs/agents.md')
  const rows = [...page.matchAll(/^\| (`.+?) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
  )
  expect(rows.sort()).toEqual(TOOLS.map(({ name }) => name).sort())
})

test('given the skill, then its head is as agents read it, and its read-only methods are there', () => {
  const skill = read('devnet/docs/skill/SKILL.md')
  expect(skill).toMatch(/^---\nname: rollbed\ndescription: .{40,1024}\n---\n/)
  const named = [...skill.matchAll(/`((?:eth|debug)_\w+)/g)].map(([, name]) => name!)
  expect(named.length).toBeGreaterThan(2)
  expect(named.filter((name) => !(name in METHOD_TABLE))).toEqual([])
})

test('given llms.txt, then it has each page once, with its title', () => {
  const text = read('devnet/docs/public/llms.txt')
  const pages = globSync('devnet/docs/*.md', { cwd: ROOT }).filter(
    (path) => !path.endsWith('/index.md'),
  )
  for (const path of pages) {
    const [, title] = /^# (.+)$/m.exec(read(path))!
    const name = path.slice('devnet/docs/'.length, -'.md'.length)
    expect(text.split(`[${title}](/${name})`), path).toHaveLength(2)
  }
})
