import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { JsonCommand } from '#devnet/cli/json-outputs'
import { SCHEMA_FOLDER } from './json-schemas.ts'
import { ROOT } from './source-tree.ts'

/** The schema that the package has for a command, ready to hold an output to. */
export function schemaOfCommand(command: JsonCommand): z.ZodType {
  const path = `${SCHEMA_FOLDER}/${command.replaceAll(' ', '-')}.schema.json`
  return z.fromJSONSchema(JSON.parse(readFileSync(join(ROOT, path), 'utf8')))
}
