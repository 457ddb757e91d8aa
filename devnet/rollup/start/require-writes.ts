import { damaged } from '#devnet/base/process/kept-errors'

/**
 * Holds a database against how often somebody was told that something is in it.
 * @param writes that it has
 * @param promised that somebody was told of
 * @throws RollbedError STATE_DAMAGED where some are missing
 */
export function requireWrites(path: string, writes: number, promised: number): void {
  const lacking = promised - writes
  if (lacking <= 0) return
  const last = lacking === 1 ? 'write' : `${lacking} writes`
  const are = lacking === 1 ? 'is' : 'are'
  throw damaged(path, `its last ${last} of ${promised}, of which somebody was told, ${are} missing`)
}
