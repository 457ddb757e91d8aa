import { decode } from 'cborg'
import { concat, encodePacked, keccak256, numberToHex, pad, sha256, toHex } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import type { JsonObject, Mutant, MutantContext } from './mutant.ts'

type Hex = `0x${string}`

/** A key of the zoo's own: an enclave that signs wrongly is still an enclave with a key. */
const KEY: Hex = keccak256(toHex('rollbed zoo'))

/** What an enclave knows when it signs; `pack` of a mutant gets one thing wrong. */
interface Signed {
  proposer: Hex
  l1OriginHash: Hex
  prevOutputRoot: Hex
  start: bigint
  outputRoot: Hex
  end: bigint
  roots: readonly Hex[]
  configHash: Hex
  imageHash: Hex
  isAggregate: boolean
  allRoots: readonly Hex[]
  requestedImageHash: Hex
}

const u64 = (value: bigint) => numberToHex(value, { size: 8 })
const word = (value: bigint) => numberToHex(value, { size: 32 })

function pack(j: Signed): Hex {
  return concat([
    j.proposer,
    j.l1OriginHash,
    j.prevOutputRoot,
    u64(j.start),
    j.outputRoot,
    u64(j.end),
    ...j.roots,
    j.configHash,
    j.imageHash,
  ])
}

interface Enclave {
  pack?: (journal: Signed) => Hex
  /** Changes the signature bytes. */
  signature?: (signature: Hex, journal: Signed) => Hex
  hash?: (bytes: Hex) => Hex
  /** Signs the aggregate with another key. */
  otherKeyForAggregate?: boolean
  /** Signs with a key that enclave_signerPublicKey does not name. */
  hidesKey?: boolean
}

const mutant = (rule: string, name: string, says: string, enclave: Enclave): Mutant => ({
  id: `journal.${name}`,
  rule,
  area: 'journal',
  target: 'prover',
  says,
  apply: (context) => ({
    async response(response, call) {
      if (call.method === 'enclave_signerPublicKey' && 'result' in response && !enclave.hidesKey) {
        const key = Buffer.from(privateKeyToAccount(KEY).publicKey.slice(2), 'hex')
        return { ...response, result: [[...key]] }
      }
      if (call.method !== 'prover_prove' || !('result' in response)) return response
      const { Tee } = response.result as { Tee: Tee }
      const signed = await resign(Tee, call.params[0] as Request, context, enclave)
      return { ...response, result: { Tee: signed } }
    },
  }),
})

interface Request {
  proposer: Hex
  l1_head: Hex
  agreed_l2_output_root: Hex
  intermediate_block_interval: number
  image_hash: Hex
}

interface Tee {
  aggregate_proposal: JsonObject
  proposals: (JsonObject & { output_root: Hex; l2_block_number: number; config_hash: Hex })[]
}

/** Signs a proof again as an enclave with one mistake would have. */
async function resign(tee: Tee, request: Request, context: MutantContext, enclave: Enclave) {
  const imageHash = await imageHashOf(context)
  const allRoots = tee.proposals.map((proposal) => proposal.output_root)
  const first = tee.proposals[0]!
  const last = tee.proposals.at(-1)!
  const common = {
    proposer: request.proposer,
    l1OriginHash: request.l1_head,
    configHash: first.config_hash,
    imageHash,
    allRoots,
    requestedImageHash: request.image_hash,
  }
  const proposals = await Promise.all(
    tee.proposals.map(async (proposal, index) => {
      const journal: Signed = {
        ...common,
        prevOutputRoot: allRoots[index - 1] ?? request.agreed_l2_output_root,
        start: BigInt(proposal.l2_block_number) - 1n,
        outputRoot: proposal.output_root,
        end: BigInt(proposal.l2_block_number),
        roots: [],
        isAggregate: false,
      }
      return { ...proposal, signature: await signJournal(journal, enclave) }
    }),
  )
  if (proposals.length === 1) return { aggregate_proposal: proposals[0], proposals }
  const interval = request.intermediate_block_interval
  const aggregate: Signed = {
    ...common,
    prevOutputRoot: request.agreed_l2_output_root,
    start: BigInt(first.l2_block_number) - 1n,
    outputRoot: last.output_root,
    end: BigInt(last.l2_block_number),
    roots: allRoots.filter((_, index) => (index + 1) % interval === 0),
    isAggregate: true,
  }
  const signature = await signJournal(aggregate, enclave)
  return { aggregate_proposal: { ...tee.aggregate_proposal, signature }, proposals }
}

async function signJournal(journal: Signed, enclave: Enclave): Promise<Hex> {
  const bytes = (enclave.pack ?? pack)(journal)
  const hash = (enclave.hash ?? keccak256)(bytes)
  const other = enclave.otherKeyForAggregate && journal.isAggregate
  const { r, s, yParity } = await sign({ hash, privateKey: other ? keccak256(KEY) : KEY })
  const signature = concat([pad(r), pad(s), numberToHex(yParity ?? 0, { size: 1 })])
  return enclave.signature?.(signature, journal) ?? signature
}

async function imageHashOf({ ask }: MutantContext): Promise<Hex> {
  const documents = (await ask('enclave_signerAttestation', [null, null])) as number[][] | null
  if (!documents?.[0]) return word(0n)
  const options = { useMaps: true, allowIndefinite: true }
  const parts = decode(Uint8Array.from(documents[0]), options) as Uint8Array[]
  const payload = decode(parts[2]!, options) as Map<string, Map<number, Uint8Array>>
  return keccak256(payload.get('pcrs')!.get(0)!)
}

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
    pad(j.proposer),
    j.l1OriginHash,
    j.prevOutputRoot,
    u64(j.start),
    j.outputRoot,
    u64(j.end),
    ...j.roots,
    j.configHash,
    j.imageHash,
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
]
