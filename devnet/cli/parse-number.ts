import type { Parser } from './flags.ts'
import { UsageError } from './usage-error.ts'

/** Reads whole numbers in [min, max]. @throws UsageError */
export function wholeNumber(min: number, max: number = Number.MAX_SAFE_INTEGER): Parser<number> {
  return (name) => (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    throw new UsageError(`${name} must be a whole number from ${min} to ${max}, not '${text}'.`)
  }
}

/** Reads a word of a closed list. @throws UsageError */
export function oneOf<const T extends string>(words: readonly T[]): Parser<T> {
  return (name) => (text) => {
    const word = words.find((candidate) => candidate === text)
    if (word) return word
    throw new UsageError(`${name} must be one of ${words.join(', ')}, not '${text}'.`)
  }
}

/** Reads URLs of these protocols. @throws UsageError */
export function urlOf(protocols: readonly string[]): Parser<string> {
  return (name) => (text) => {
    if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text
    const schemes = protocols.map((protocol) => `${protocol}//`).join(' or ')
    throw new UsageError(`${name} must be a URL that starts with ${schemes}, not '${text}'.`)
  }
}

/** Reads http(s) URLs. @throws UsageError */
export const url = urlOf(['http:', 'https:'])
