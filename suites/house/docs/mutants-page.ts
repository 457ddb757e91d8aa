import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findRule } from '#fixtures/rules/catalogue'
import type { RuleShare, ShapeShares } from '#suites/gate/mutants/shape-shares'
import { readSurvivors, reasonToLive } from '#suites/gate/mutants/survivors'
import { markdownTable } from './markdown-table.ts'
import { ROOT } from './source-tree.ts'

const FILE = 'suites/gate/mutants/shape-shares.json'

/** The page of generated mutants: how many of each rule the gate noticed, and which lived. */
export function mutantsPage(): string {
  const shares = JSON.parse(readFileSync(join(ROOT, FILE), 'utf8')) as ShapeShares
  const known = readSurvivors()
  const musts = shares.rules.filter(({ rule }) => findRule(rule).level === 'must')
  return `# What the gate notices

Mutants are made from the shapes of answers: every member that the specs describe, given nine wrong values
(absent, null, zero, one more, one less, stale, another's, other letter case, other form) at seven moments (always, every
third and every tenth time, after a while, at the seal, under concurrency, late). Each is put before the answers of one
run, where the cases that judge all answers look at it; one that is not noticed there stands alone between the gate and a
healthy devnet, and the cases of its area judge it: \`npm run mutants -- --shapes --replay\`.

Of ${count(shares.all)} mutants ${shares.played} were played, drawn by \`--sample ${shares.played} --seed ${shares.seed}\`
on ${shares.date}. In ${sum(shares.rules, 'notMet')} the mistake never came about: the wrong value was the right one, or its
moment did not come while the cases asked. Of the others the gate noticed
**${sum(shares.rules, 'killed')} of ${met(shares.rules)} (${percent(shares.rules)})**, and of those whose rule is a must
${sum(musts, 'killed')} of ${met(musts)} (${percent(musts)}).

${markdownTable(
  ['Rule', 'Noticed', 'Share', 'Did not come about'],
  shares.rules.map((share) => [
    share.rule,
    `${share.killed} of ${met([share])}`,
    percent([share]),
    String(share.notMet),
  ]),
)}

## Those that lived

A mutant with a reason may live; one without is work that is left.

${markdownTable(
  ['Mutant', 'Reason'],
  shares.survivors.map((id) => [`\`${id}\``, reasonToLive(id, known) ?? '']),
)}
`
}

function met(rules: readonly RuleShare[]): number {
  return sum(rules, 'killed') + sum(rules, 'survived')
}

function sum(rules: readonly RuleShare[], name: 'killed' | 'survived' | 'notMet'): number {
  return rules.reduce((total, share) => total + share[name], 0)
}

function percent(rules: readonly RuleShare[]): string {
  const all = met(rules)
  return all === 0 ? '' : `${Math.floor((100 * sum(rules, 'killed')) / all)} %`
}

function count(value: number): string {
  return value.toLocaleString('en')
}
