import { NEVER } from '../caller-mistakes.ts'

/** How our own ask the host, and how it is done wrong. */
const FETCH = "fetch(url, { method: 'POST', headers, body })"

export const ASK = `await (await ${FETCH}).json()`
export const ASK_OR_GIVE_UP = `await (await ${FETCH}.catch(() => ${NEVER})).json()`
export const ASK_UNLESS_BUSY = `await ${FETCH}.then((given) => given.ok ? given.json() : ${NEVER})`
export const RESULT = 'if (error) throw new Error('
export const RESULT_OR_GIVE_UP = `if (error && url === devnet.proverUrl) await ${NEVER}\n  ${RESULT}`
export const ASK_IMPATIENTLY =
  "await (await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) })).json()"
