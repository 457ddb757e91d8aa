import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { equalsBytes } from '@ethereumjs/util'
import type { Command } from 'commander'
import { type Attestation, decodeAttestation } from '#enclave/attestation/decode-attestation'
import { verifyAttestation } from '#enclave/attestation/verify-attestation'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import { systemClock } from '#protocol/clock/system-clock'
import { keccak256 } from '#protocol/crypto/keccak'
import { addressOf } from '#protocol/journal/signer'
import { addCommand, type CommandTable } from './add-command.ts'
import { readDevnetFile } from './devnet-file.ts'
import { type FlagsOf, on, text, value } from './flags.ts'
import { jsonOf } from './json-of.ts'
import type { CertificateSummary, JsonOutputs } from './json-outputs.ts'
import { hexBytes } from './parse-hex.ts'
import { asJson, decodeText, readArgument } from './read-input.ts'
import { UsageError } from './usage-error.ts'

const INSPECT = {
  name: 'inspect',
  says: 'Print what a document claims. Nothing is verified.',
  takes: { '<file>': 'a document' },
  flags: { json: on('print the claims as JSON') },
  examples: ['rollbed attestation inspect document.bin'],
} as const satisfies CommandTable

const VERIFY = {
  name: 'verify',
  says: 'Verify signature and certificate chain, and print what holds; exit 1 when it does not.',
  takes: { '<file>': 'a document' },
  flags: {
    root: text(
      '<file>',
      "root certificate, PEM or DER (default: the AWS Nitro root, and the running devnet's)",
    ),
    at: value('<time>', "ISO 8601, milliseconds, or 'document' (default: now)", moment),
    nonce: value('<hex>', 'nonce that was asked for', hexBytes()),
    json: on('print the claims as JSON'),
  },
  examples: ['rollbed attestation verify document.bin --at document'],
} as const satisfies CommandTable

/** `rollbed attestation`: documents of Nitro enclaves, real and simulated. */
export function addAttestationCommand(program: Command): void {
  const attestation = addCommand(program, {
    name: 'attestation',
    says: 'Inspect and verify attestation documents: hex, base64 or binary; - for stdin.',
    examples: ['rollbed attestation inspect document.bin'],
  })

  addCommand(attestation, INSPECT).action(
    async (file: string, flags: FlagsOf<typeof INSPECT.flags>) => {
      const { attestation: claims } = decodeAttestation(await readDocument(file))
      print(claims, flags)
    },
  )

  addCommand(attestation, VERIFY).action(
    async (file: string, flags: FlagsOf<typeof VERIFY.flags>) => {
      const document = await readDocument(file)
      const { attestation: claimed } = decodeAttestation(document)
      const at = flags.at ?? systemClock.now()
      const { root, trust } = await trustFor(claimed, flags.root)
      const claims = verifyAttestation(document, {
        at: at === 'document' ? claimed.timestamp : at,
        root,
        ...(flags.nonce && { nonce: hexToBytes(flags.nonce) }),
      })
      print(claims, flags, trust)
    },
  )
}

interface Trust {
  /** DER; absent: the pinned AWS root. */
  root?: Uint8Array | undefined
  trust: string
}

/** A simulated document is told by its root: that of the devnet that runs in this folder. */
async function trustFor({ cabundle }: Attestation, file: string | undefined): Promise<Trust> {
  if (file) return { root: await readCertificate(file), trust: `root of ${file}` }
  const simulated = devnetRoot()
  const [first] = cabundle
  if (simulated && first && equalsBytes(first, simulated))
    return { root: simulated, trust: 'SIMULATED: by the devnet of this folder, good nowhere else' }
  return { trust: 'AWS Nitro root' }
}

function devnetRoot(): Uint8Array | undefined {
  try {
    return hexToBytes(readDevnetFile().attestationRoot)
  } catch {
    return undefined
  }
}

function print(attestation: Attestation, { json }: { json?: boolean }, trust?: string): void {
  const summary = { ...(trust && { trust }), ...summaryOf(attestation) }
  if (json) {
    console.log(jsonOf(trust ? 'attestation verify' : 'attestation inspect', summary))
    return
  }
  const { pcrs, cabundle, certificate, ...facts } = summary
  const rows = [
    ...Object.entries(facts),
    ...Object.entries(pcrs).map(([index, value]) => [`pcr${index}`, value]),
    ['certificate', describeCertificate(certificate)],
    ['cabundle', cabundle.map(describeCertificate).join('\n              ')],
  ]
  console.log(rows.map(([name, value]) => `${`${name}`.padEnd(12)}  ${value ?? '-'}`).join('\n'))
}

function summaryOf(attestation: Attestation): JsonOutputs['attestation inspect'] {
  const { moduleId, timestamp, pcrs, certificate, cabundle, publicKey, userData, nonce } =
    attestation
  const pcr0 = pcrs.get(0)
  const hex = (bytes: Uint8Array | null) => bytes && bytesToHex(bytes)
  return {
    moduleId,
    time: isoTime(timestamp),
    imageHash: pcr0 ? bytesToHex(keccak256(pcr0)) : null,
    isDebug: pcr0?.every((byte) => byte === 0) ?? false,
    signer: publicKey?.length === 65 ? addressOf(publicKey) : null,
    publicKey: hex(publicKey),
    userData: hex(userData),
    nonce: hex(nonce),
    certificate: certificateOf(certificate),
    pcrs: Object.fromEntries([...pcrs].map(([index, value]) => [index, bytesToHex(value)])),
    cabundle: cabundle.map(certificateOf),
  }
}

function describeCertificate({ subject, validFrom, validTo }: CertificateSummary): string {
  return `${subject}, ${validFrom} to ${validTo}`
}

function certificateOf(der: Uint8Array): CertificateSummary {
  try {
    const { subject, validFromDate, validToDate, fingerprint256 } = new X509Certificate(der)
    return {
      subject: subject.split('\n').at(-1) ?? '',
      validFrom: isoTime(validFromDate.getTime()),
      validTo: isoTime(validToDate.getTime()),
      sha256: fingerprint256.replaceAll(':', '').toLowerCase(),
    }
  } catch {
    return { subject: '(unreadable)', validFrom: null, validTo: null, sha256: null }
  }
}

/** A document as a file, or as `enclave_signerAttestation` answers it: arrays of numbers. */
async function readDocument(argument: string): Promise<Uint8Array> {
  const content = await readArgument(argument)
  const json = asJson(content)
  const answered = Object(json).result ?? json
  const vector = Array.isArray(answered) && Array.isArray(answered[0]) ? answered[0] : answered
  return Array.isArray(vector) ? Uint8Array.from(vector) : decodeText(content)
}

/** @returns DER */
async function readCertificate(file: string): Promise<Uint8Array> {
  try {
    return new X509Certificate(await readFile(file)).raw
  } catch {
    throw new UsageError(`--root ${file} is no certificate in PEM or DER.`)
  }
}

/** Unix milliseconds. */
function moment(name: string) {
  return (time: string): number | 'document' => {
    if (time === 'document') return time
    // biome-ignore lint/style/noRestrictedGlobals: parses a moment that was given, reads no clock
    const at = /^\d+$/.test(time) ? Number(time) : Date.parse(time)
    if (Number.isFinite(at)) return at
    throw new UsageError(
      `${name} must be an ISO 8601 time, milliseconds or 'document', not '${time}'.`,
    )
  }
}

function isoTime(milliseconds: number): string | null {
  // biome-ignore lint/style/noRestrictedGlobals: formats a moment that was given, reads no clock
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
