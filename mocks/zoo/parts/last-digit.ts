/** Hex with another last digit. */
export const lastDigit = (hash: unknown) =>
  String(hash).replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
