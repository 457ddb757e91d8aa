import { instead, NEVER } from '../caller-mistakes.ts'
import type { Mutant, mutantsOf } from '../mutant.ts'

/** How our own ask the host. */
const FETCH = "fetch(url, { method: 'POST', headers, body })"
const ASK = `await (await ${FETCH}).json()`
const RESULT = 'if (error) throw new Error('

/** What one who asks a host for a proof does wrong where none comes at once: in our proposer and our challenger alike. */
export const askingMutants = (
  caller: ReturnType<typeof mutantsOf>,
  rule: string,
  file: string,
): Mutant[] => [
  caller(
    rule,
    'gives-up',
    'Gives up for good when the host does not answer',
    instead(file, ASK, `await (await ${FETCH}.catch(() => ${NEVER})).json()`),
  ),
  caller(
    rule,
    'gives-up-when-busy',
    'Gives up for good when the host is busy',
    instead(file, ASK, `await ${FETCH}.then((given) => given.ok ? given.json() : ${NEVER})`),
  ),
  caller(
    rule,
    'impatient',
    'Waits ten seconds for a proof, and asks again',
    instead(file, ASK, ASK.replace('body }', 'body, signal: AbortSignal.timeout(10_000) }')),
  ),
  caller(
    rule,
    'gives-up-when-refused',
    'Gives up for good when the host answers an error',
    instead(file, RESULT, `if (error && url === devnet.proverUrl) await ${NEVER}\n  ${RESULT}`),
  ),
  caller(
    rule,
    'gives-up-without-signer',
    'Gives up for good when no enclave of the host has a valid signer',
    instead(file, RESULT, `if (error?.code === -32001) await ${NEVER}\n  ${RESULT}`),
  ),
]
