import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const MANIFEST = join(import.meta.dirname, '..', '..', 'package.json')

/** The short names of the rooms: what stands before and after the `*`, in the name and in the place. */
const rooms = Object.entries(
  (JSON.parse(readFileSync(MANIFEST, 'utf8')) as { imports: Record<string, string> }).imports,
).map(([name, place]) => ({ name: halves(name), place: halves(place.slice('./'.length)) }))

/**
 * Where `#room/x` lies, relative to the repository.
 * @example placeOf('#protocol/clock/clock') // 'enclave-sim/protocol/clock/clock.ts'
 * @throws Error where package.json's `imports` has no such room
 */
export function placeOf(specifier: string): string {
  for (const { name, place } of rooms)
    if (specifier.startsWith(name[0]) && specifier.endsWith(name[1]))
      return place.join(specifier.slice(name[0].length, specifier.length - name[1].length))
  throw new Error(`${specifier} is in none of the rooms that package.json names under 'imports'.`)
}

function halves(pattern: string): [string, string] {
  const [before, after] = pattern.split('*')
  return [before!, after!]
}
