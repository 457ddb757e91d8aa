import type { JsonCommand, JsonOutputs } from './json-outputs.ts'

/** What a command prints with `--json`: its schema in `devnet/docs/schemas` is made of the same type. */
export const jsonOf = <Name extends JsonCommand>(
  _command: Name,
  output: NoInfer<JsonOutputs[Name]>,
): string => JSON.stringify(output, plain)

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)
