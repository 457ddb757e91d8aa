/** Whether a value, as JSON, has a digit in capitals. */
export const hasCapitals = (value: unknown) => /[A-F]/.test(JSON.stringify(value ?? ''))
