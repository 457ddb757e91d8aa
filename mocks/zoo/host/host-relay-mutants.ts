import type { Mutant, MutantHooks, RpcCall } from '../mutant.ts'
import { changedProof } from '../parts/changed-proof.ts'
import { rewriteError } from '../rewrites.ts'
import { served } from './served.ts'

const PROVE = 'prover_prove'
const ATTEST = 'enclave_signerAttestation'

/** Bytes of user data and of each nonce (LIM-04, LIM-05). */
const MOST = 512

/** Changes the parameters of requests for documents. */
const documentsAskedBy =
  (change: (userData: unknown, nonces: unknown[]) => unknown[]) => (): MutantHooks => ({
    call(asked: RpcCall) {
      const [userData, nonces] = asked.params
      if (asked.method !== ATTEST || !Array.isArray(nonces)) return asked
      return { ...asked, params: change(userData, nonces) }
    },
  })

const cut = (bytes: unknown) => (Array.isArray(bytes) ? bytes.slice(0, MOST) : bytes)

/** Changes what is said of a proof that failed. */
const inOtherWords = (change: (message: string) => string) =>
  rewriteError(PROVE, (error) => ({ ...error, message: change(String(error.message)) }))

/** Mutants that change what goes between a caller and the enclaves: cut words, long bytes, many blocks. */
export const HOST_RELAY_MUTANTS: readonly Mutant[] = [
  served(
    'ERR-08',
    'middle-nonces-unmeasured',
    'Measures the first and the last nonce',
    documentsAskedBy((userData, nonces) => {
      const isMiddle = (index: number) => index > 0 && index < nonces.length - 1
      return [userData, nonces.map((nonce, index) => (isMiddle(index) ? cut(nonce) : nonce))]
    }),
  ),
  served(
    'ERR-07',
    'user-data-behind-nonces',
    'Measures user data only where no nonces are given',
    documentsAskedBy((userData, nonces) => [cut(userData), nonces]),
  ),
  served(
    'ERR-15',
    'message-cut',
    'Cuts what an enclave said',
    inOtherWords((message) => message.slice(0, 64)),
  ),
  served(
    'ERR-15',
    'message-in-ascii',
    'Says what an enclave said in ASCII',
    inOtherWords((message) => message.replace(/[^ -~]/g, '?')),
  ),
  served(
    'PIPE-21',
    'no-more-than-128',
    'Loses the blocks after 128',
    changedProof((tee) => ({ Tee: { ...tee, proposals: tee.proposals.slice(0, 128) } })),
  ),
]
