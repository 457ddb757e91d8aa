import { InvalidArgumentError } from 'commander'

/**
 * What commander makes of the value of a flag that counts.
 * @throws InvalidArgumentError where it is no whole number from 0 on
 * @example
 * new Command().option('--kills <n>', 'how many', wholeNumber, 100)
 */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/**
 * The same of a flag that measures, such as hours.
 * @throws InvalidArgumentError where it is no number from 0 on
 */
export function anyNumber(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('It must be a number.')
  return Number(text)
}
