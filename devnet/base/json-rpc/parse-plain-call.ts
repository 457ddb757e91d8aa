/** What is read of the head of a plain call. */
export interface PlainCall {
  /** Without a query. */
  path: string
  host: string
  /** Bytes of its body. */
  length: number
}

const REQUEST_LINE = /^POST (\/[\w/-]{0,200}) HTTP\/1\.1$/
/** RFC 9110, "Fields": a token, and printable characters. */
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t\x20-\x7e]*)$/
/** Fields that say something about a request which is not plain any more; `origin`: a page's. */
const SPECIAL =
  /^(?:transfer-encoding|content-encoding|trailer|te|expect|upgrade|origin|access-control-.*)$/
const SINGLE = new Set(['host', 'content-length', 'content-type', 'connection'])

/**
 * Reads the head of a request, without the empty line at its end. undefined: it is not the plain POST of
 * JSON that nearly every caller sends, or is not quite in order, and an HTTP server shall see to it.
 */
export function parsePlainCall(head: string): PlainCall | undefined {
  const [first, ...lines] = head.split('\r\n')
  const path = REQUEST_LINE.exec(first!)?.[1]
  if (path === undefined) return undefined
  const single = new Map<string, string>()
  for (const line of lines) {
    const field = FIELD.exec(line)
    if (!field) return undefined
    const name = field[1]!.toLowerCase()
    if (SPECIAL.test(name) || single.has(name)) return undefined
    if (SINGLE.has(name)) single.set(name, field[2]!.trim())
  }
  const host = single.get('host')
  const length = single.get('content-length')
  if (host === undefined || !length || !/^\d{1,9}$/.test(length)) return undefined
  if (!/^application\/json(?:; ?charset=utf-8)?$/i.test(single.get('content-type') ?? '')) {
    return undefined
  }
  if (!/^keep-alive$/i.test(single.get('connection') ?? 'keep-alive')) return undefined
  return { path, host, length: Number(length) }
}
