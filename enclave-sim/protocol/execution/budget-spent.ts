/**
 * What was to be done costs more than it may cost here; it has changed nothing. No RollbedError: whoever
 * sets a budget does the work elsewhere then, and nobody else hears of it.
 */
export class BudgetSpent extends Error {
  constructor() {
    super('The message needs more gas than may be used here.')
  }
}
