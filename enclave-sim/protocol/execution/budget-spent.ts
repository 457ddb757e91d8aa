import { RollbedError } from '../errors/rollbed-error.ts'

/** What was to be done costs more than it may cost here. It has changed nothing. */
export class BudgetSpent extends RollbedError {
  constructor() {
    super('BUDGET_SPENT', 'The message needs more gas than may be used here.')
  }
}
