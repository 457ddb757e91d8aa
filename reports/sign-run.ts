import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { isFailing, type RunResult } from './model.ts'
import { parseRun } from './parse-run.ts'

/** What is signed, as DSSE names it. */
const RUN_TYPE = 'application/vnd.rollbed.run+json'

/** A Dead Simple Signing Envelope (secure-systems-lab/dsse, envelope.md). */
export interface Envelope {
  payload: string
  payloadType: string
  signatures: { keyid: string; sig: string }[]
}

/** An envelope that is none, or whose signature does not fit. */
export class BadEnvelope extends Error {
  override name = 'BadEnvelope'
}

/** A key that cannot sign, or cannot check a signature. */
export class BadKey extends Error {
  override name = 'BadKey'
}

/** Signs the text of a run, byte for byte, with ed25519. @param key private key in PEM @throws BadKey */
export function signRun(text: string, key: string): Envelope {
  const payload = Buffer.from(text)
  const privateKey = ed25519('a private one without a passphrase', () => createPrivateKey(key))
  const signature = sign(null, preAuthentication(payload), privateKey)
  const keyid = keyIdOf(createPublicKey(privateKey))
  return {
    payload: payload.toString('base64'),
    payloadType: RUN_TYPE,
    signatures: [{ keyid, sig: signature.toString('base64') }],
  }
}

/**
 * The run in an envelope whose signature fits the key.
 * @param key public key in PEM @throws BadKey @throws BadEnvelope @throws NotARun
 */
export function verifyRun(text: string, key: string): RunResult {
  const envelope = parseEnvelope(text)
  const publicKey = ed25519('a public one', () => createPublicKey(key))
  const payload = Buffer.from(envelope.payload, 'base64')
  const fits = envelope.signatures.some(({ sig }) =>
    verify(null, preAuthentication(payload), publicKey, Buffer.from(sig, 'base64')),
  )
  if (!fits) throw new BadEnvelope('no signature in it fits this key')
  return parseRun(payload.toString())
}

/** Why a run earns no green badge: what failed, and what was left out. Empty when it is whole. */
export function whatIsMissing(run: RunResult): string[] {
  const count = (verdicts: readonly string[]) =>
    run.cases.filter(({ verdict }) => verdicts.includes(verdict)).length
  const failing = run.cases.filter(({ verdict }) => isFailing(verdict)).length
  const skipped = count(['not-applicable', 'gap'])
  const excused = count(['expected-fail'])
  const nonStrict = count(['non-strict'])
  const left = run.rules.filter(({ status, verdict }) => status === 'covered' && !verdict).length
  return [
    ...(failing ? [`${failing} failed or could not be judged`] : []),
    ...(skipped ? [`${skipped} not applicable`] : []),
    ...(excused ? [`${excused} excused`] : []),
    ...(nonStrict ? [`${nonStrict} not strict: a should is not met`] : []),
    ...(left ? [`${left} rules whose cases did not run`] : []),
    ...(run.shard ? [`only shard ${run.shard.index} of ${run.shard.count}`] : []),
  ]
}

function parseEnvelope(text: string): Envelope {
  let value: Partial<Envelope>
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new BadEnvelope('it is not JSON', { cause: error })
  }
  const { payload, payloadType, signatures } = value ?? {}
  if (typeof payload !== 'string' || payloadType !== RUN_TYPE || !isListOfSignatures(signatures)) {
    throw new BadEnvelope(`it is no DSSE envelope of ${RUN_TYPE}`)
  }
  return value as Envelope
}

function isListOfSignatures(list: unknown): list is Envelope['signatures'] {
  return Array.isArray(list) && list.every((each) => typeof each?.sig === 'string')
}

/** @param wanted which key, for whoever gave another one */
function ed25519(wanted: string, read: () => KeyObject): KeyObject {
  let key: KeyObject
  try {
    key = read()
  } catch (error) {
    throw new BadKey(`the key is no key in PEM: ${wanted} is wanted`, { cause: error })
  }
  if (key.asymmetricKeyType === 'ed25519') return key
  throw new BadKey(`the key is ${key.asymmetricKeyType}, not ed25519`)
}

/** DSSE's PAE: type and payload with their lengths, so that neither can pass for the other. */
function preAuthentication(payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${RUN_TYPE.length} ${RUN_TYPE} ${payload.length} `
  return Buffer.concat([Buffer.from(head), payload])
}

/** The raw public key: the last 32 bytes of its DER. */
function keyIdOf(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex')
}
