import { errorRows } from './error-row.ts'

/** The conformance gate: numbers from 1100 on. */
export const GATE_ERRORS = errorRows({
  TARGET_UNREACHABLE: { number: 1101, title: 'The implementation to judge does not answer' },
  NO_SUCH_CASE: { number: 1102, title: 'No case fits' },
  BAD_EXPECTATIONS: { number: 1103, title: 'A file lists no expectations' },
  BAD_DRIVER: { number: 1104, title: 'A module is no driver' },
  DRIVER_FAILED: {
    number: 1105,
    title: 'A driver could not do its part',
    action: "Look at the account that pays, and at the node's own words.",
  },
  NO_PROVABLE_RANGE: { number: 1106, title: 'No range became safe in time' },
  CASE_FAILED: {
    number: 1107,
    title: 'A case failed',
    action: 'The report names the rule, and shows what was asked and answered.',
  },
  CASE_SET_ASIDE: {
    number: 1108,
    title: 'A case cannot judge here',
    action: 'Nothing: the report says why it is not judged.',
  },
  CLAIM_NOT_JUDGED: { number: 1109, title: 'Nothing given is what a claim is judged by' },
  NO_SUCH_VERSION: { number: 1110, title: 'The catalogue of cases has no such version' },
  INTERRUPTED: {
    number: 1111,
    title: 'A signal ended a run before its end',
    action: 'Run it again; `--only` judges a part.',
  },
})
