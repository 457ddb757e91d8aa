import { expect } from 'vitest'
import type { JsonCommand } from '#devnet/cli/json-outputs'
import { schemaOfCommand } from './schema-of-command.ts'

/** Holds what a command has printed to the schema that the package has for it. */
export function expectFitsSchema(command: JsonCommand, printed: string): void {
  expect(schemaOfCommand(command).safeParse(JSON.parse(printed)).error).toBeUndefined()
}
