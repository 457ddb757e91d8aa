import { loadCatalogue } from '#fixtures/rules/catalogue'
import { readDecisions } from '#fixtures/rules/read-decisions'
import { ZOO } from '#mocks/index'
import type { RuleStatus } from '#reports/model'
import { coverRules, selectCases } from '#suites/gate/conformance/index'
import { markdownTable } from './markdown-table.ts'

/** Rule families in the order of the catalogue, with what they are about. */
const FAMILIES: Readonly<Record<string, string>> = {
  'RPC-ENV': 'JSON-RPC envelope',
  'RPC-SEL': 'Block selectors',
  'RPC-BLK': 'Blocks',
  'RPC-PEND': 'The pending block',
  'RPC-LOG': 'Logs',
  'RPC-FLT': 'Log filters',
  'RPC-GETLOGS': 'eth_getLogs',
  'RPC-CALL': 'eth_call',
  'RPC-SIM': 'eth_simulateV1',
  'RPC-STOR': 'eth_getStorageAt',
  'RPC-WS': 'Subscriptions',
  BC: 'Builder codes',
  ATTR: 'Attribution suffixes',
  'PRV-REQ': 'Proof requests',
  'PRV-RES': 'Proof results',
  'PRV-PROP': 'Proposals',
  JRN: 'The signed journal',
  SIG: 'Signatures',
  'ENC-PROTO': 'How host and enclave talk',
  'ENC-KIND': 'Kinds of messages',
  ATT: 'Attestation documents',
  'HOST-CFG': 'Settings of the host',
  'HOST-HEALTH': 'Health of the host',
  'HOST-RPC': 'Methods of the host',
  PIPE: 'The proof pipeline',
  ROUTE: 'Routing among enclaves',
  ROT: 'Rotation of images',
  'ENC-START': 'Start of an enclave',
  'HOST-START': 'Start and stop of the host',
  ERR: 'Errors',
  LIM: 'Limits',
  SAFE: 'Safety',
  'TODAY-TIME': 'The time of a block since Denim',
  'TODAY-FEE': 'Fees and gas since Denim',
  'TODAY-RPC': 'Answers since Denim',
  'TODAY-WS': 'Subscriptions since Denim',
  'TODAY-EVM': 'The EVM since Azul',
  'TODAY-PROOF': 'Proofs and games since Denim',
  'TODAY-CROSS': 'The crossing to blocks of 200 ms',
}

/** docs/rules.md: what the gate asks for, by which cases, and which mutants prove that they do. */
export function rulesPage(): string {
  const statuses = coverRules(selectCases(), [])
  const { open } = loadCatalogue()
  const decisions = readDecisions()
  const familyOf = (id: string) => id.slice(0, id.lastIndexOf('-'))
  const families = Map.groupBy(statuses, ({ id }) => familyOf(id))
  const sections = [...families].map(([name, rules]) => {
    const table = markdownTable(
      ['Rule', 'Level', 'Says', 'Checked by', 'Mutants'],
      rules.map(ruleRow),
    )
    return `## ${headingOf(name)}\n\n${table}\n`
  })
  const contents = [...families].map(([name, rules]) => {
    return `- [${headingOf(name)}](#${slug(headingOf(name))}): ${rules.length}`
  })
  const openRows = open.map(({ id, topic, why, affects, lean }) => [
    anchored(id),
    `${topic}: ${why}`,
    decisions.get(id) ?? lean,
    affects.map((rule) => `[${rule}](#${slug(rule)})`).join(', '),
  ])
  const waived = statuses.filter(({ status }) => status === 'waived').length
  return `# Rules

The two specs (*Node RPC and builder codes*, *TEE prover*: [in short](../../fixtures/rules/README.md)), and what Base's upgrades of 2026 changed, in ${statuses.length} numbered sentences (\`fixtures/rules/rules.yaml\`), and ${open.length} points that they leave
open. Ids are permanent; link to one as \`rules.md#rpc-pend-02\`. A case of \`rollbed conform\` checks
each rule, or a reason says why none does (${waived}). A mutant breaks one rule and must be noticed
by a case of that rule (\`npm run mutants\`). Rules \`TODAY-…\` are judged with \`--profile today\` alone
([page](todays-base.md#judging-a-node-of-today)); each names its source in the catalogue.

${contents.join('\n')}
- [Open points](#open-points): ${open.length}

${sections.join('\n')}
## Open points

Reported as gaps. A case that rests on one of our readings names the point in its rationale; most
are of level \`should\`, so a target that reads otherwise does not fail.

${markdownTable(['Point', 'What is open', 'How we read it', 'Rules'], openRows)}
`
}

/** A link to a rule, from another page beside this one. */
export function ruleLink(id: string): string {
  return `[${id}](rules.md#${slug(id)})`
}

function ruleRow({ id, level, says, cases, reason }: RuleStatus): string[] {
  const mutants = ZOO.filter(({ rule }) => rule === id).map((mutant) => `\`${mutant.id}\``)
  const checked = cases.map((each) => `\`${each}\``).join('<br>')
  return [anchored(id), level, says, checked || `No case. ${reason ?? ''}`, mutants.join('<br>')]
}

function headingOf(family: string): string {
  return `${family}: ${FAMILIES[family] ?? family}`
}

function anchored(id: string): string {
  return `<a id="${slug(id)}"></a>${id}`
}

/** As GitHub makes the anchor of a heading. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}
