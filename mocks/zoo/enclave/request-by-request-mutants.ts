import { keccak256, toHex } from 'viem'
import { LOCAL, localKey } from '#suites/gate/conformance/spec/enclave-messages'
import {
  decodeResponse,
  encodeResponse,
  type Preimage,
} from '#suites/gate/conformance/spec/enclave-payloads'
import { requestIn } from '../handed-request.ts'
import { type Mutant, type MutantHooks, mutantsOf } from '../mutant.ts'
import { changePreimages } from './change-preimages.ts'
import { aggregateSignature, signAggregates } from './sign-aggregates.ts'
import { preimageHash, unchecked } from './unchecked-preimages.ts'

const enclave = mutantsOf('enclave', 'enclave')

const nameOf = ({ key: { type, data } }: Preimage) => `${type} ${toHex(data)}`

/** Fills in a local value that is missing from the request before. */
const ofBefore = (identifier: number) => (): MutantHooks => {
  const name = `local ${toHex(localKey(identifier))}`
  let before: Preimage | undefined
  return changePreimages((all) => {
    const own = all.find((each) => nameOf(each) === name)
    before = own ?? before
    return own || !before ? all : [...all, before]
  })()
}

/** Does no more once something came. */
const deadAfter = (isFatal: (payload: Uint8Array) => boolean) => (): MutantHooks => {
  let isDead = false
  return {
    enclave: {
      answer: (forward) => async (payload) => {
        if (isDead) return undefined
        isDead = isFatal(payload)
        return isDead ? undefined : forward(payload)
      },
    },
  }
}

const openAfter = (kind: string) => () => ({
  enclave: {
    habits: { keepsOpen: (response: Uint8Array) => decodeResponse(response).kind === kind },
  },
})

const rewritten = (change: (payload: Uint8Array) => Uint8Array) => () => ({
  enclave: {
    answer:
      (forward: (payload: Uint8Array) => Promise<Uint8Array | undefined>) =>
      (payload: Uint8Array) =>
        forward(change(payload)),
  },
})

/** Signs one proof wrongly after one that failed. */
const shakenByFailure = (): MutantHooks => {
  let isShaken = false
  return signAggregates((response) => {
    const wasShaken = isShaken
    isShaken = response.kind === 'Error'
    const signature = wasShaken ? aggregateSignature(response) : undefined
    return signature && `0x${signature.slice(2, -2)}${signature.endsWith('00') ? '01' : '00'}`
  })
}

const isSha = ({ key }: Preimage) => key.type === 'sha256'

/** Mutants that remember the request before, die of one, or misread how one is written. */
export const REQUEST_BY_REQUEST_MUTANTS: readonly Mutant[] = [
  enclave(
    'ENC-PROTO-04',
    'open-after-document',
    'Leaves the connection open after a document',
    openAfter('SignerAttestation'),
  ),
  enclave(
    'ENC-PROTO-04',
    'open-after-key',
    'Leaves the connection open after a key',
    openAfter('SignerPublicKey'),
  ),
  enclave(
    'ENC-KIND-04',
    'kind-of-a-byte',
    'Reads the last byte of a long kind',
    rewritten((payload) => (payload[0] === 0xfb ? payload.subarray(1) : payload)),
  ),
  enclave(
    'ENC-KIND-04',
    'kind-of-two-bits',
    'Reads two bits of a kind',
    rewritten((payload) =>
      (payload[0] ?? 0) > 3 ? Uint8Array.of(payload[0]! & 3, ...payload.subarray(1)) : payload,
    ),
  ),
  enclave(
    'SAFE-05',
    'last-unchecked',
    'Checks all preimages but the last',
    unchecked((_, at, all) => at === all.length - 1),
  ),
  enclave(
    'SAFE-05',
    'first-unchecked',
    'Checks all preimages but the first',
    unchecked((_, at) => at === 0),
  ),
  enclave(
    'PIPE-08',
    'one-sha256-checked',
    'Checks the first SHA-256 preimage only',
    unchecked((each, at, all) => isSha(each) && all.findIndex(isSha) < at),
  ),
  enclave(
    'PIPE-07',
    'last-byte-of-hash',
    'Compares a Keccak-256 hash but for its last byte',
    unchecked((each) => {
      const isKeccak = each.key.type === 'keccak256'
      return isKeccak && preimageHash(each)?.slice(0, -2) === toHex(each.key.data).slice(0, -2)
    }),
  ),
  enclave(
    'SAFE-07',
    'proposer-of-before',
    'Signs for the proposer of before where there is none',
    ofBefore(LOCAL.proposer),
  ),
  enclave(
    'SAFE-07',
    'interval-of-before',
    'Samples at the interval of before where there is none',
    ofBefore(LOCAL.interval),
  ),
  enclave(
    'SAFE-07',
    'chain-of-before',
    'Proves for the chain of before where none is named',
    ofBefore(LOCAL.chainId),
  ),
  enclave(
    'ERR-16',
    'chain-of-32-bits',
    'Reads 32 bits of a chain id',
    changePreimages((all) =>
      all.map((each) =>
        nameOf(each) === `local ${toHex(localKey(LOCAL.chainId))}`
          ? { ...each, value: Buffer.concat([Buffer.alloc(4), each.value.subarray(4)]) }
          : each,
      ),
    ),
  ),
  enclave(
    'ENC-KIND-02',
    'dead-after-nothing',
    'Answers nothing any more after an empty frame',
    deadAfter(({ length }) => length === 0),
  ),
  enclave(
    'ENC-KIND-02',
    'dead-after-garbage',
    'Answers nothing any more after a frame that it cannot read',
    deadAfter((payload) => payload.length > 0 && requestIn(payload) === undefined),
  ),
  enclave(
    'SIG-05',
    'shaken-by-failure',
    'Signs the proof after a failed one wrongly',
    shakenByFailure,
  ),
  enclave('SAFE-07', 'proves-once', 'Refuses a witness that it has proved before', () => {
    const proved = new Set<string>()
    return {
      enclave: {
        answer: (forward) => async (payload) => {
          if (requestIn(payload)?.kind !== 'Prove') return forward(payload)
          const witness = keccak256(payload)
          if (proved.has(witness))
            return encodeResponse({ kind: 'Error', message: 'proved before' })
          proved.add(witness)
          return forward(payload)
        },
      },
    }
  }),
]
