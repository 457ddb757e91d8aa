import { errorRows } from './error-row.ts'

/** Faults and named situations: numbers from 1000 on. */
export const FAULTS_ERRORS = errorRows({
  FAULT_PLAN_INVALID: { number: 1001, title: 'A plan of faults is wrong' },
  FAULT_INVALID: { number: 1002, title: 'A fault has wrong parameters' },
  FAULT_UNKNOWN: { number: 1003, title: 'There is no such fault for this target' },
  FAULTS_OFF: { number: 1004, title: 'This devnet plays no faults' },
  TARGET_UNKNOWN: { number: 1005, title: 'There is no such target of faults' },
  NO_SUCH_SCENARIO: {
    number: 1006,
    title: 'There is no such situation',
    action: '`rollbed scenario list` names them.',
  },
  BLOCK_NOT_SAFE: { number: 1007, title: 'A block does not reach L1' },
  NOT_PROPOSED: { number: 1008, title: 'No honest game came about' },
  NOTHING_TO_WAIT_FOR: { number: 1009, title: 'No game waits for time' },
  NO_INTERMEDIATE_ROOTS: {
    number: 1010,
    title: 'Games here have a single root',
    action: 'Start a devnet whose games have an interval between roots.',
  },
  GAME_TOO_SHORT: {
    number: 1011,
    title: 'A game is too short for its roots',
    action: 'Give games more blocks, or fewer roots.',
  },
})
