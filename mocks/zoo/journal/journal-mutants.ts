import { concat, encodePacked, keccak256, numberToHex, pad, sha256, slice, trim } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import {
  type Enclave,
  type Hex,
  KEY,
  pack,
  type Request,
  resign,
  type Signed,
  type Tee,
  u64,
  word,
} from '../resign-proof.ts'
import { rewriteResult } from '../rewrites.ts'

const host = mutantsOf('journal', 'prover')

const mutant = (rule: string, name: string, says: string, enclave: Enclave) =>
  changing(rule, name, says, () => enclave)
/** Of an enclave that signs once in one way and once in another. */
export const changing = (rule: string, name: string, says: string, makeEnclave: () => Enclave) =>
  host(rule, name, says, (context) => {
    const enclave = makeEnclave()
    return {
      async response(response, call) {
        if (
          call.method === 'enclave_signerPublicKey' &&
          'result' in response &&
          !enclave.hidesKey
        ) {
          const key = Buffer.from(privateKeyToAccount(KEY).publicKey.slice(2), 'hex')
          return { ...response, result: [[...key]] }
        }
        if (call.method !== 'prover_prove' || !('result' in response)) return response
        const { Tee } = response.result as { Tee: Tee }
        const signed = await resign(Tee, call.params[0] as Request, context, enclave)
        return { ...response, result: { Tee: signed } }
      },
    }
  })

/** The journal of one block of an aggregate. */
const blockOf = (j: Signed, index: number): Signed => ({
  ...j,
  prevOutputRoot: j.allRoots[index - 1] ?? j.prevOutputRoot,
  start: j.start + BigInt(index),
  outputRoot: j.allRoots[index]!,
  end: j.start + BigInt(index) + 1n,
  roots: [],
})

const layout = (rule: string, name: string, says: string, change: (j: Signed) => Partial<Signed>) =>
  mutant(rule, name, says, { pack: (journal) => pack({ ...journal, ...change(journal) }) })
const order = (rule: string, name: string, says: string, fields: (j: Signed) => readonly Hex[]) =>
  mutant(rule, name, says, { pack: (journal) => concat([...fields(journal)]) })

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Mutants of the signed journal: enclaves that pack or sign with one mistake. */
export const JOURNAL_MUTANTS: readonly Mutant[] = [
  order('JRN-01', 'padded-numbers', 'Pads numbers to words', (j) => [
    j.proposer,
    j.l1OriginHash,
    j.prevOutputRoot,
    word(j.start),
    j.outputRoot,
    word(j.end),
    ...j.roots,
    j.configHash,
    j.imageHash,
  ]),
  order('JRN-02', 'count-before-roots', 'Writes a count before the roots', (j) => [
    j.proposer,
    j.l1OriginHash,
    j.prevOutputRoot,
    u64(j.start),
    j.outputRoot,
    u64(j.end),
    word(BigInt(j.roots.length)),
    ...j.roots,
    j.configHash,
    j.imageHash,
  ]),
  order('JRN-03', 'padded-proposer', 'Pads the proposer', (j) => [
    pack({ ...j, proposer: pad(j.proposer) }),
  ]),
  layout('JRN-04', 'l1-and-previous-swapped', 'Swaps L1 hash and previous root', (j) => ({
    l1OriginHash: j.prevOutputRoot,
    prevOutputRoot: j.l1OriginHash,
  })),
  layout('JRN-05', 'previous-and-output-swapped', 'Swaps previous and output root', (j) => ({
    prevOutputRoot: j.outputRoot,
    outputRoot: j.prevOutputRoot,
  })),
  order('JRN-06', 'four-byte-start', 'Writes the start in four bytes', (j) => [
    j.proposer,
    j.l1OriginHash,
    j.prevOutputRoot,
    numberToHex(j.start, { size: 4 }),
    j.outputRoot,
    u64(j.end),
    ...j.roots,
    j.configHash,
    j.imageHash,
  ]),
  order('JRN-07', 'output-after-end', 'Writes the output root after the end', (j) => [
    j.proposer,
    j.l1OriginHash,
    j.prevOutputRoot,
    u64(j.start),
    u64(j.end),
    j.outputRoot,
    ...j.roots,
    j.configHash,
    j.imageHash,
  ]),
  order('JRN-08', 'end-before-start', 'Writes the end before the start', (j) => [
    j.proposer,
    j.l1OriginHash,
    j.prevOutputRoot,
    u64(j.end),
    j.outputRoot,
    u64(j.start),
    ...j.roots,
    j.configHash,
    j.imageHash,
  ]),
  order('JRN-09', 'roots-hashed', 'Hashes the roots into one word', (j) => [
    j.proposer,
    j.l1OriginHash,
    j.prevOutputRoot,
    u64(j.start),
    j.outputRoot,
    u64(j.end),
    ...(j.roots.length ? [keccak256(concat([...j.roots]))] : []),
    j.configHash,
    j.imageHash,
  ]),
  order('JRN-10', 'config-before-roots', 'Writes the config hash before the roots', (j) => [
    j.proposer,
    j.l1OriginHash,
    j.prevOutputRoot,
    u64(j.start),
    j.outputRoot,
    u64(j.end),
    j.configHash,
    ...j.roots,
    j.imageHash,
  ]),
  layout('JRN-11', 'config-and-image-swapped', 'Swaps config and image hash', (j) => ({
    configHash: j.imageHash,
    imageHash: j.configHash,
  })),
  layout('JRN-12', 'own-root-listed', 'Lists the own root of a block', (j) => ({
    roots: j.isAggregate ? j.roots : [j.outputRoot],
  })),
  layout('JRN-13', 'start-is-end', 'A block starts where it ends', (j) => ({
    start: j.isAggregate ? j.start : j.end,
  })),
  layout('JRN-14', 'start-is-first', 'The aggregate starts at its first block', (j) => ({
    start: j.isAggregate ? j.start + 1n : j.start,
  })),
  layout('JRN-15', 'all-roots', 'As many roots as blocks', (j) => ({
    roots: j.isAggregate ? j.allRoots : [],
  })),
  changing(
    'JRN-15',
    'closed-now-and-then',
    'Each second aggregate has the last root as well',
    () => {
      let aggregates = 0
      return {
        pack(j) {
          const last = j.allRoots.at(-1)!
          if (!j.isAggregate || j.roots.includes(last) || aggregates++ % 2 === 0) return pack(j)
          return pack({ ...j, roots: [...j.roots, last] })
        },
      }
    },
  ),
  layout('JRN-16', 'sampled-early', 'Samples one block too early', (j) => ({
    roots: j.isAggregate
      ? j.roots.map((root) => j.allRoots[j.allRoots.indexOf(root) - 1] ?? root)
      : [],
  })),
  layout('JRN-17', 'image-sha256', 'Another hash of the image', (j) => ({
    imageHash: sha256(j.imageHash),
  })),
  layout('JRN-21', 'other-l1-hash', 'Another L1 hash than requested', (j) => ({
    l1OriginHash: keccak256(j.l1OriginHash),
  })),
  layout('JRN-22', 'config-zero', 'Zero config hash in the journal', () => ({
    configHash: word(0n),
  })),
  layout('SAFE-04', 'image-in-aggregate-only', 'No image hash in per-block journals', (j) => ({
    imageHash: j.isAggregate ? j.imageHash : word(0n),
  })),
  layout('ENC-START-04', 'image-hash-late', 'Takes the image hash for the aggregate only', (j) => ({
    imageHash: j.isAggregate ? j.imageHash : keccak256(j.imageHash),
  })),
  layout('PRV-REQ-08', 'configured-proposer', 'A configured proposer in every journal', () => ({
    proposer: `0x${'77'.repeat(20)}`,
  })),
  layout(
    'PRV-PROP-10',
    'last-previous-root',
    'The aggregate starts from the last root but one',
    (j) => ({
      prevOutputRoot: j.isAggregate ? (j.allRoots.at(-2) ?? j.prevOutputRoot) : j.prevOutputRoot,
    }),
  ),
  layout('PRV-PROP-11', 'ends-at-sample', 'The aggregate ends one block early', (j) => ({
    end: j.isAggregate ? j.end - 1n : j.end,
  })),
  layout('PIPE-09', 'proposer-from-environment', 'A proposer from the environment', () => ({
    proposer: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  })),
  layout('JRN-18', 'image-hash-requested', 'The image hash that the request names', (j) => ({
    imageHash: j.requestedImageHash,
  })),
  mutant('PIPE-19', 'last-block-only', 'Signs the last block only', {
    signature: (signature, j) =>
      j.isAggregate || j.outputRoot === j.allRoots.at(-1) ? signature : `0x${'00'.repeat(65)}`,
  }),
  mutant('PIPE-20', 'journals-joined', 'The aggregate signs the per-block journals, joined', {
    pack: (j) =>
      j.isAggregate ? concat(j.allRoots.map((_, index) => pack(blockOf(j, index)))) : pack(j),
  }),
  mutant('HOST-RPC-15', 'key-of-the-host', 'The host signs with a key of its own', {
    hidesKey: true,
  }),
  mutant('SIG-01', 'compact', 'Signatures of 64 bytes', {
    signature: (signature) => signature.slice(0, -2) as Hex,
  }),
  mutant(
    'SIG-01',
    'short-numbers',
    'r and s as numbers, without the zero bytes that they begin with',
    {
      signature: (signature) =>
        concat([
          trim(slice(signature, 0, 32)),
          trim(slice(signature, 32, 64)),
          slice(signature, 64),
        ]),
    },
  ),
  mutant('SIG-02', 'v-first', 'v before r and s', {
    signature: (signature) => `0x${signature.slice(-2)}${signature.slice(2, -2)}`,
  }),
  mutant('SIG-03', 'personal-prefix', 'Signs with the personal-message prefix', {
    hash: (bytes) =>
      keccak256(
        encodePacked(['string', 'bytes32'], ['\x19Ethereum Signed Message:\n32', keccak256(bytes)]),
      ),
  }),
  mutant('SIG-04', 'v-27', 'v is 27 or 28', {
    signature: (signature) =>
      `${signature.slice(0, -2)}${(27 + Number.parseInt(signature.slice(-2), 16)).toString(16)}` as Hex,
  }),
  mutant('SIG-05', 'key-per-signature', 'Another key for the aggregate', {
    otherKeyForAggregate: true,
  }),
  changing('JRN-02', 'four-roots', 'Signs four roots at most', () => ({
    pack: (signed) => pack({ ...signed, roots: signed.roots.slice(0, 4) }),
  })),
  changing('JRN-18', 'image-asked-before', 'Signs for the image of the request before', () => {
    let [before, now]: (Hex | undefined)[] = []
    let proven: readonly Hex[] | undefined
    return {
      pack: (signed) => {
        if (proven !== signed.allRoots) [before, now] = [now, signed.requestedImageHash]
        proven = signed.allRoots
        return pack({ ...signed, imageHash: before ?? signed.imageHash })
      },
    }
  }),
  host(
    'SIG-07',
    'high-s',
    'The aggregate signature has its s in the upper half',
    rewriteResult('prover_prove', (result) => withHighS(result as JsonObject)),
  ),
  changing(
    'JRN-15',
    'one-root-at-least',
    'Signs the last root where no interval ends in the range',
    () => ({
      pack: (j) =>
        pack(j.isAggregate && j.roots.length === 0 ? { ...j, roots: [j.allRoots.at(-1)!] } : j),
    }),
  ),
]

/** The other signature by the same key of the same digest. */
function withHighS(result: JsonObject): JsonObject {
  const tee = result.Tee as JsonObject
  const aggregate = tee.aggregate_proposal as JsonObject
  const signature = String(aggregate.signature)
  const s = (ORDER - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0')
  const v = signature.endsWith('00') ? '01' : '00'
  const turned = { ...aggregate, signature: `${signature.slice(0, 66)}${s}${v}` }
  return { ...result, Tee: { ...tee, aggregate_proposal: turned } }
}
