import { type CaseResult, isFailing, type RunResult } from './model.ts'
import { describeFailure } from './summarise.ts'

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'
/** Rules have no line in the target's own code; they are shown where they are written down. */
const CATALOGUE = 'fixtures/rules/rules.yaml'

/** SARIF 2.1.0 with the failures, one result for each rule that a case quotes. */
export function toSarif(result: RunResult): string {
  const failing = result.cases.filter((each) => isFailing(each.verdict))
  const quoted = new Set(failing.flatMap((each) => each.rules))
  const report = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: result.tool.name,
            version: result.tool.version,
            rules: result.rules
              .filter((rule) => quoted.has(rule.id))
              .map((rule) => ({ id: rule.id, shortDescription: { text: rule.says } })),
          },
        },
        results: failing.flatMap((each) => each.rules.map((rule) => toResult(each, rule))),
      },
    ],
  }
  return `${JSON.stringify(report, null, 2)}\n`
}

function toResult(result: CaseResult, ruleId: string) {
  return {
    ruleId,
    level: 'error',
    message: { text: describeFailure(result) },
    locations: [{ physicalLocation: { artifactLocation: { uri: CATALOGUE } } }],
    partialFingerprints: { caseId: result.id },
  }
}
