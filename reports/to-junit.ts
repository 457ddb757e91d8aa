import { describeTarget } from './describe-target.ts'
import { escapeMarkup } from './escape-markup.ts'
import { totalsOf } from './head-of-run.ts'
import { describeJudged, describeNotJudged } from './judged-rules.ts'
import { type CaseResult, isFailing, isNonStrict, type RunResult } from './model.ts'
import { describeFailure } from './summarise.ts'

/** JUnit XML as CI servers read it: one suite per area; failures, and what is not strict, with rules, diff and repro. */
export function toJUnit(result: RunResult): string {
  const areas = [...new Set(result.cases.map((each) => each.area))]
  const failures = result.cases.filter((each) => isFailing(each.verdict)).length
  const attributes = `name="rollbed conform" tests="${result.cases.length}" failures="${failures}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes} time="${seconds(result.duration)}">`,
    ...areas.map((area) => toSuite(area, result)),
    '</testsuites>',
    '',
  ].join('\n')
}

function toSuite(area: string, result: RunResult): string {
  const cases = result.cases.filter((each) => each.area === area)
  const failures = cases.filter((each) => isFailing(each.verdict)).length
  const skipped = cases.filter(isSkipped).length
  const time = cases.reduce((sum, each) => sum + each.duration, 0)
  const attributes = [
    `name="${escapeMarkup(area)}"`,
    `tests="${cases.length}"`,
    `failures="${failures}"`,
    `skipped="${skipped}"`,
    `time="${seconds(time)}"`,
    `timestamp="${result.startedAt}"`,
  ]
  return [
    `  <testsuite ${attributes.join(' ')}>`,
    `    <properties>${suiteProperties(cases, result)}</properties>`,
    ...cases.map(toCase),
    '  </testsuite>',
  ].join('\n')
}

function suiteProperties(cases: readonly CaseResult[], result: RunResult): string {
  const target = describeTarget(result)
  return [
    ...(target ? [property('target', target)] : []),
    property('should not met', `${cases.filter(isNonStrict).length}`),
    property('summary', totalsOf(result).summary),
    property('rules judged', describeJudged(result)),
    ...describeNotJudged(result).map((line) => property('rules not judged', line)),
  ].join('')
}

function toCase(result: CaseResult): string {
  const name = escapeMarkup(`${result.id} ${result.title}`)
  const properties = [
    ...result.rules.map((rule) => property('rule', rule)),
    property('verdict', result.verdict),
    property('level', result.level),
  ].join('')
  return [
    `    <testcase classname="${escapeMarkup(`${result.area}.${result.id}`)}" name="${name}" time="${seconds(result.duration)}">`,
    `      <properties>${properties}</properties>`,
    ...outcome(result),
    '    </testcase>',
  ].join('\n')
}

function outcome(result: CaseResult): string[] {
  if (isFailing(result.verdict)) {
    const message = escapeMarkup(result.reason ?? result.verdict)
    const text = escapeMarkup(describeFailure(result))
    return [`      <failure type="${result.verdict}" message="${message}">${text}</failure>`]
  }
  if (isNonStrict(result)) {
    return [`      <system-out>${escapeMarkup(describeFailure(result))}</system-out>`]
  }
  if (!isSkipped(result)) return []
  return [`      <skipped message="${escapeMarkup(result.reason ?? result.verdict)}"/>`]
}

function isSkipped({ verdict }: CaseResult): boolean {
  return verdict === 'not-applicable' || verdict === 'gap' || verdict === 'expected-fail'
}

function property(name: string, value: string): string {
  return `<property name="${name}" value="${escapeMarkup(value)}"/>`
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3)
}
