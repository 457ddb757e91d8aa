import { findRule } from '#fixtures/rules/catalogue'
import { type Mutant, ZOO } from '#mocks/index'
import { markdownTable } from './markdown-table.ts'

/** The page of bugs that real nodes had, each of them a mutant. */
export function realNodesPage(): string {
  const seen = ZOO.filter(({ seenIn = [] }) => seenIn.length > 0)
  const places = new Set(seen.flatMap(({ seenIn = [] }) => seenIn))
  return `# Bugs that real nodes had

Nodes, their forks and the proxies before them have had bugs that nobody would make up. ${seen.length} of them, from
${places.size} public issues and pull requests, are played here as mutants: a proxy before a healthy devnet makes the same
mistake, in words and code of our own, and a case of the rule that it breaks must notice. \`npm run mutants\` fails where
one is not noticed; each release plays all of them. What no rule of the two specifications forbids is left out.

${markdownTable(
  ['What was wrong', 'Seen in', 'Rule', 'Mutant'],
  seen.map((mutant) => [mutant.says, placesOf(mutant), ruleOf(mutant), `\`${mutant.id}\``]),
)}
`
}

function placesOf({ seenIn = [] }: Mutant): string {
  return seenIn
    .map((place) => `[${place}](https://github.com/${place.replace('#', '/issues/')})`)
    .join('\n')
}

function ruleOf({ rule }: Mutant): string {
  const { level } = findRule(rule)
  return `[${rule}](rules.md#${rule.toLowerCase()})${level === 'must' ? '' : ` (${level})`}`
}
