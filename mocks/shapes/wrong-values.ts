import type { AnswerForm } from './answer-member.ts'

/** What a mistake knows besides the right value. */
export interface Known {
  /** What the same request had here when it was last answered differently; undefined before. */
  stale?: unknown
  /** What stands here for something else: in another element, or after another request. */
  another?: unknown
}

/** Changes of a right value into a wrong one; what a change does not fit stays as it is. */
export const WRONG_VALUES = {
  absent: () => undefined,
  null: () => null,
  zero: (value, form) => zeroOf(value, form),
  more: (value, form) => step(value, form, 1n),
  less: (value, form) => step(value, form, -1n),
  stale: (value, _, { stale = value }) => stale,
  another: (value, _, { another = value }) => another,
  'other-case': (value) => {
    return typeof value === 'string' ? value.replace(/[a-f]/g, (x) => x.toUpperCase()) : value
  },
  'other-form': (value, form) => otherForm(value, form),
} satisfies Record<string, (value: unknown, form: AnswerForm, known: Known) => unknown>

export type WrongValue = keyof typeof WRONG_VALUES

/** Whether a wrong value is a mistake at all in a value of this form. */
export function isMistake(wrong: WrongValue, form: AnswerForm): boolean {
  // Letter case is free in addresses (RPC-ENV-14); the others have no letters to change.
  if (wrong === 'other-case') {
    return form !== 'address' && !['list', 'boolean', 'number', 'octets'].includes(form)
  }
  if (wrong === 'more' || wrong === 'less') return form !== 'boolean'
  return true
}

function zeroOf(value: unknown, form: AnswerForm): unknown {
  if (form === 'quantity') return '0x0'
  if (form === 'list') return []
  if (form === 'boolean') return false
  if (form === 'number') return 0
  if (form === 'text') return ''
  if (form === 'octets') return isOctets(value) ? value.map(() => 0) : value
  return typeof value === 'string' ? value.replace(/(?<=^0x.*)./g, '0') : value
}

/** One more or one less: a number, the last byte of bytes, the elements of a list. */
function step(value: unknown, form: AnswerForm, by: 1n | -1n): unknown {
  if (form === 'number') return typeof value === 'number' ? value + Number(by) : value
  if (Array.isArray(value)) {
    if (form === 'octets') return [...value.slice(0, -1), (value.at(-1) + Number(by) + 256) % 256]
    if (value.length === 0) return value
    return by > 0 ? [...value, value.at(-1)] : value.slice(0, -1)
  }
  if (typeof value !== 'string') return value
  if (form === 'text') return by > 0 ? `${value}0` : value.slice(0, -1)
  if (!/^0x[0-9a-f]+$/i.test(value)) return value
  const digits = value.length - 2
  const number = BigInt(value) + by
  const wrapped = BigInt.asUintN(form === 'quantity' ? 256 : 4 * digits, number)
  return `0x${wrapped.toString(16).padStart(form === 'quantity' ? 1 : digits, '0')}`
}

/** The same value, said otherwise than the wire says it. */
function otherForm(value: unknown, form: AnswerForm): unknown {
  if (form === 'quantity' && typeof value === 'string') return `0x0${value.slice(2)}`
  if (form === 'boolean' || form === 'number') return String(value)
  if (form === 'octets' && isOctets(value)) return `0x${Buffer.from(value).toString('hex')}`
  if (form === 'list' && Array.isArray(value)) return Object.fromEntries(Object.entries(value))
  if (form === 'text') return typeof value === 'string' ? [value] : value
  return typeof value === 'string' ? value.slice(2) : value
}

function isOctets(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'number')
}
