import { stripTypeScriptTypes } from 'node:module'
import type { Example } from './examples-of.ts'

export interface ExampleSurroundings {
  /** Gives the module of this name. */
  load(name: string): Promise<unknown>
  /** What the example counts on, by name. */
  values: Readonly<Record<string, unknown>>
}

/** Runs an example as if it were a module; its imports go through `load`. Throws what it throws. */
export async function runExample(
  { code }: Example,
  { load, values }: ExampleSurroundings,
): Promise<void> {
  const script = stripTypeScriptTypes(code).replaceAll(
    /^import \{([^}]*)\} from '([^']*)'$/gm,
    (_all, names: string, from: string) =>
      `const {${names.replaceAll(' as ', ': ')}} = await load('${from}')`,
  )
  const AsyncFunction = (async () => {}).constructor as new (
    ...parameters: string[]
  ) => (...values: unknown[]) => Promise<void>
  const run = new AsyncFunction('load', ...Object.keys(values), script)
  await run(load, ...Object.values(values))
}
