import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One request and the response it must get. */
export interface Exchange {
  method: string
  params: unknown[]
  response: { result?: unknown; error?: { code: number; message: string; data?: unknown } }
}

/** One `.io` file of execution-apis. */
export interface Vector {
  /** Such as `eth_call/call-contract`. */
  name: string
  method: string
  /** Only the shape of the answer is to be compared, not its values. */
  isShapeOnly: boolean
  exchanges: Exchange[]
}

/**
 * Reads the `.io` files of the folders of methods.
 * @param directory `tests` of ethereum/execution-apis
 */
export function readVectors(directory: string): Vector[] {
  const folders = readdirSync(directory, { withFileTypes: true }).filter((each) =>
    each.isDirectory(),
  )
  return folders.flatMap(({ name: method }) =>
    readdirSync(join(directory, method))
      .filter((file) => file.endsWith('.io'))
      .toSorted()
      .map((file) => {
        const text = readFileSync(join(directory, method, file), 'utf8')
        return { name: `${method}/${file.slice(0, -3)}`, method, ...parseVector(text) }
      }),
  )
}

/** Lines that begin with `>>` ask, with `<<` answer, with `//` explain. */
export function parseVector(text: string): Pick<Vector, 'isShapeOnly' | 'exchanges'> {
  const lines = text.split('\n')
  const asked = lines.filter((line) => line.startsWith('>>')).map(toJson)
  const answered = lines.filter((line) => line.startsWith('<<')).map(toJson)
  return {
    isShapeOnly: lines.some((line) => /^\/\/\s*speconly/.test(line)),
    exchanges: asked.map(({ method, params = [] }, index) => ({
      method: method!,
      params,
      response: answered[index]!,
    })),
  }
}

function toJson(line: string): Exchange['response'] & { method?: string; params?: unknown[] } {
  return JSON.parse(line.slice(2))
}
