import { writeFileSync } from 'node:fs'
import { z } from 'zod'
import { makeVectors } from './make-vectors.ts'
import { vectorSchema } from './vector-schema.ts'

const FOLDER = new URL('../../../fixtures/vectors/', import.meta.url)

/** Text of each file of the journal vectors, by its name in fixtures/vectors. */
export async function vectorFiles(): Promise<Record<string, string>> {
  const text = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
  return {
    'journal.json': text(await makeVectors()),
    'journal.schema.json': text(z.toJSONSchema(vectorSchema)),
  }
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(await vectorFiles()))
    writeFileSync(new URL(name, FOLDER), text)
}
