import { UsageError } from './usage-error.ts'

/** A commander argument parser for whole numbers in [min, max]. @throws UsageError */
export function wholeNumber(name: string, min: number, max: number) {
  return (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    throw new UsageError(`${name} must be a whole number from ${min} to ${max}, not '${text}'.`)
  }
}

/** A commander argument parser for a closed list of words. @throws UsageError */
export function oneOf<const T extends string>(name: string, words: readonly T[]) {
  return (text: string): T => {
    const word = words.find((candidate) => candidate === text)
    if (word) return word
    throw new UsageError(`${name} must be one of ${words.join(', ')}, not '${text}'.`)
  }
}

/** A commander argument parser for http(s) URLs. @throws UsageError */
export function url(name: string, protocols: readonly string[] = ['http:', 'https:']) {
  return (text: string): string => {
    if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text
    const schemes = protocols.map((protocol) => `${protocol}//`).join(' or ')
    throw new UsageError(`${name} must be a URL that starts with ${schemes}, not '${text}'.`)
  }
}
