import type { Duplex } from 'node:stream'
import { readFrame, writeFrame } from '#enclave/wire/frame'
import {
  decodeResponse,
  type EnclaveRequest,
  type EnclaveResponse,
  encodeRequest,
} from '#enclave/wire/messages'
import { type Clock, withTimeout } from '#protocol/clock/clock'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { Preimage } from '#protocol/oracle/preimage-oracle'
import type { TeeProof } from '#protocol/proof/types'
import { withDeadline } from './with-deadline.ts'

/** One enclave as the host sees it. Every call opens one connection and makes one request. */
export interface EnclaveClient {
  readonly cid: number
  /** 65 bytes, uncompressed (HOST-RPC-05). @throws EnclaveFailure */
  signerPublicKey(): Promise<Uint8Array>
  /** A COSE_Sign1 document. @throws EnclaveFailure */
  signerAttestation(request: {
    userData: Uint8Array | undefined
    nonce: Uint8Array | undefined
  }): Promise<Uint8Array>
  /** Has no timer of its own: the signal ends it. @throws EnclaveFailure, the signal's reason */
  prove(preimages: Preimage[], signal: AbortSignal): Promise<TeeProof>
}

export interface EnclaveClientOptions {
  cid: number
  /** Opens one connection to the enclave: AF_VSOCK, hybrid UNIX socket, or in process. */
  connect(): Promise<Duplex>
  clock: Clock
  /** Whether journals of the host's chain name a schedule. @default false */
  hasSchedule?: boolean
}

/** Milliseconds, as on deployed hosts. */
const CONNECT_TIMEOUT = 5_000
const SIGNER_TIMEOUT = 10_000

/**
 * What an enclave says is passed on as it is (ERR-15); the failures of a connection have the words of
 * deployed hosts (base/base nitro-host transport).
 * @throws EnclaveFailure; its methods do
 */
export function enclaveClient(options: EnclaveClientOptions): EnclaveClient {
  const { cid, clock } = options

  /** A signer operation: bounded by its own timer, which also closes the connection. */
  async function ask(name: string, request: EnclaveRequest): Promise<EnclaveResponse> {
    const onTimeout = () => new EnclaveFailure(`${name} timed out`)
    return await withDeadline({ clock, delay: SIGNER_TIMEOUT, onTimeout }, (signal) =>
      exchange(options, request, signal),
    )
  }

  return {
    cid,
    async signerPublicKey() {
      const response = await ask('signer_public_key', { kind: 'SignerPublicKey' })
      if (response.kind !== 'SignerPublicKey') throw unexpected('signer_public_key')
      const { publicKey } = response
      if (publicKey.length !== 65 || publicKey[0] !== 4)
        throw new EnclaveFailure(
          'invalid signer public key: expected 65-byte uncompressed SEC1 key',
        )
      return publicKey
    },
    async signerAttestation({ userData, nonce }) {
      const response = await ask('signer_attestation', {
        kind: 'SignerAttestation',
        userData: userData ?? null,
        nonce: nonce ?? null,
      })
      if (response.kind !== 'SignerAttestation') throw unexpected('signer_attestation')
      return response.document
    },
    async prove(preimages, signal) {
      const response = await exchange(options, { kind: 'Prove', preimages }, signal)
      if (response.kind !== 'Prove' || response.result.kind !== 'Tee') throw unexpected('prove')
      return response.result
    },
  }
}

/** One connection, one request, one response (ENC-PROTO-03). */
async function exchange(
  { connect, clock, hasSchedule }: EnclaveClientOptions,
  request: EnclaveRequest,
  signal: AbortSignal,
): Promise<EnclaveResponse> {
  signal.throwIfAborted()
  const stream = await open(connect, clock)
  // Who left while it was dialled is heard no more.
  if (signal.aborted) stream.destroy()
  signal.throwIfAborted()
  // Failures are reported by the frame in progress; between frames nobody else listens.
  stream.on('error', () => undefined)
  const close = () => void stream.destroy()
  signal.addEventListener('abort', close, { once: true })
  try {
    await writeFrame(stream, encodeRequest(request)).catch(failure('frame write failed'))
    const frame = readFrame(stream, { clock, timeout: Infinity })
    const payload = await frame.catch(failure('frame read failed'))
    const response = decode(payload, hasSchedule)
    if (response.kind === 'Error') throw new EnclaveRefusal(response.message)
    return response
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', close)
    stream.destroy()
  }
}

async function open(connect: () => Promise<Duplex>, clock: Clock): Promise<Duplex> {
  let late = false
  const connecting = connect()
  connecting.then(
    (stream) => late && stream.destroy(),
    () => undefined,
  )
  const opened = connecting.catch(failure('connect failed'))
  return await withTimeout(clock, CONNECT_TIMEOUT, opened, () => {
    late = true
    return new EnclaveFailure('connect timed out')
  })
}

function decode(payload: Uint8Array, hasSchedule?: boolean): EnclaveResponse {
  try {
    return decodeResponse(payload, hasSchedule)
  } catch (error) {
    return failure('frame read failed')(error as Error)
  }
}

function failure(what: string) {
  return (error: Error): never => {
    throw new EnclaveFailure(`${what}: ${error.message}`, error)
  }
}

function unexpected(expected: string): EnclaveFailure {
  return new EnclaveFailure(`unexpected response for ${expected}`)
}

/** The enclave did not answer, or not what was asked. */
export class EnclaveFailure extends RollbedError {
  constructor(message: string, cause?: Error) {
    super('ENCLAVE_FAILURE', message, { cause })
  }
}

/** The enclave answered with an error, in its own words. */
export class EnclaveRefusal extends EnclaveFailure {}
