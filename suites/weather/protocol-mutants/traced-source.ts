import type { Mutation } from './mutation.ts'

/** The name under which a process knows to which places it came. */
const CAME = 'rollbedPlacesCome'

/** Ids of the places that this process came to since this was asked last. */
export function takeCome(): string[] {
  const come = Reflect.get(globalThis, CAME) as Set<string> | undefined
  const ids = [...(come ?? [])]
  come?.clear()
  return ids
}

/** A file that does as it did, and tells when one of these places of it is come to. */
export function tracedSource(text: string, mutations: readonly Mutation[]): string {
  const telling = `(globalThis.${CAME} ??= new Set()).add`
  // Around a place within another nothing but the other's own words may come: it begins after it and ends before it.
  const outerFirst = mutations.toSorted((a, b) => b.end - b.start - (a.end - a.start))
  const [before, after] = [new Map<number, string>(), new Map<number, string>()]
  for (const { id, start, end, kind } of outerFirst) {
    const [open, between, close] = kind === 'dropped' ? ['{', ';', '}'] : ['(', ',', ')']
    const tell = `${open}${telling}(${JSON.stringify(id)})${between}`
    before.set(start, (before.get(start) ?? '') + tell)
    after.set(end, close + (after.get(end) ?? ''))
  }
  const places = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b)
  let [traced, from] = ['', 0]
  for (const place of places) {
    traced += text.slice(from, place) + (after.get(place) ?? '') + (before.get(place) ?? '')
    from = place
  }
  return traced + text.slice(from)
}
