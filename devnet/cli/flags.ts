/** Reads what was given to the flag of this name; `before` is what it made of that flag earlier on the line. */
export type Parser<T> = (name: string) => (text: string, before?: T) => T

interface FlagText {
  says: string
  /** What is given to it, as in `<n>`, or `[n]` where it may be left out; absent: a switch. */
  value?: string
  parse?: (name: string) => (text: string, before: never) => unknown
  default?: unknown
  /** What the help says in place of the default. */
  defaultSays?: string
  isRequired?: true
  /** It is on unless `--no-NAME` is given. */
  isNegated?: true
  /** There is `--no-NAME` beside it, which says this, and gives false. */
  orNone?: string
  /** An environment variable that stands for it. */
  env?: string
  /** The flags, by their names in the table, that it cannot stand beside. */
  conflicts?: string[]
}

/** A flag of a command as data. */
export interface Flag<T> extends FlagText {
  /** Never there: it carries the type of what a command gets. */
  gives?: () => T
}

/** The flags of a command by name in camel case: `portBase` is `--port-base`. */
export type FlagTable = Readonly<Record<string, Flag<unknown>>>

type Given<F> = F extends Flag<infer T> ? T : never
type Optional<Table> = {
  [Name in keyof Table]: undefined extends Given<Table[Name]> ? Name : never
}[keyof Table]

/** What a command gets of its table. */
export type FlagsOf<Table> = { [Name in Optional<Table>]?: Given<Table[Name]> } & {
  [Name in Exclude<keyof Table, Optional<Table>>]: Given<Table[Name]>
}

type Rest = Omit<FlagText, 'says' | 'value' | 'parse' | 'isNegated' | 'orNone' | 'default'>
type Always<T> = Rest & ({ default: NoInfer<T> } | { isRequired: true })

/** A switch that is off until it is given. */
export const on = (says: string, rest: Rest = {}): Flag<boolean | undefined> => ({ says, ...rest })

/** A switch that is on until `--no-NAME` is given. */
export const off = (says: string): Flag<boolean> => ({ says, isNegated: true })

/** A flag with a value, which is read by `parse`. */
export function value<T>(given: string, says: string, parse: Parser<T>, rest: Always<T>): Flag<T>
export function value<T>(
  given: string,
  says: string,
  parse: Parser<T>,
  rest?: Rest,
): Flag<T | undefined>
export function value<T>(
  given: string,
  says: string,
  parse: Parser<T>,
  rest: Rest = {},
): Flag<T | undefined> {
  return { value: given, says, parse, ...rest }
}

/** A flag with a value that is taken as it is. */
export function text(given: string, says: string, rest: Always<string>): Flag<string>
export function text(given: string, says: string, rest?: Rest): Flag<string | undefined>
export function text(given: string, says: string, rest: Rest = {}): Flag<string | undefined> {
  return { value: given, says, ...rest }
}

/** The same flag, with `--no-NAME` beside it. */
export const orNone = <T>(flag: Flag<T>, says: string): Flag<T | false> => ({
  ...flag,
  orNone: says,
})

/** `portBase` → `--port-base`. */
export const longName = (name: string): string =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
