/** Whether a value is hex with a digit in capitals. */
export const hasCapitalDigits = (value: unknown) => /^0x.*[A-F]/.test(String(value))
