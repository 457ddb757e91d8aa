import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { NamedSchedule } from '#devnet/actors/journal-audit/known-schedules'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { addCommand, type CommandTable } from './add-command.ts'
import { CONFIG_HELP, describedDevnet } from './described-devnet.ts'
import { readDevnetFile } from './devnet-file.ts'
import { ExitCode } from './exit-code.ts'
import { type FlagsOf, on, text, value } from './flags.ts'
import { jsonOf } from './json-of.ts'
import { hexBytes, hexList } from './parse-hex.ts'
import { url, wholeNumber } from './parse-number.ts'
import { asJson, decodeText, readArgument } from './read-input.ts'
import { UsageError } from './usage-error.ts'

const hash = (says: string) => value('<hash>', says, hexBytes(32))
const address = (says: string) => value('<address>', says, hexBytes(20))

const AUDIT = {
  name: 'audit',
  says: 'Judge a journal, a ProofResult (JSON), calldata or an L1 transaction: 0x and hexadecimal, a file, or -. Tries every layout known and says which one a signature fits.',
  takes: { '<input>': '0x and hexadecimal, a file, or -' },
  flags: {
    proposer: address('proposer in the journals'),
    imageHash: hash('keccak256 of the enclave image PCR0'),
    configHash: hash('per-chain config hash'),
    l1Origin: hash('L1 head of the journal'),
    prevRoot: hash('output root before the range'),
    scheduleId: hash('of the layout that has one'),
    start: value('<block>', 'block before the range', wholeNumber(0)),
    interval: value('<blocks>', 'sampling stride of intermediate roots', wholeNumber(1)),
    signer: value('<address>', 'who may have signed; may be repeated', hexList(20), {
      default: [],
      defaultSays: 'those registered on L1, or whom signatures agree on',
    }),
    signature: value('<hex>', 'of a journal', hexBytes()),
    l1: value(
      '<url>',
      'L1 with the transaction, games and signers, and the header of the L1 head',
      url,
    ),
    to: address('contract that calldata is for, with --l1'),
    config: text('<file>', CONFIG_HELP),
    html: text('<file>', 'write a page with the byte map'),
    json: on('print the audit as JSON'),
  },
  examples: [
    'rollbed journal audit proof.json',
    'rollbed journal audit proof.json --html audit.html',
  ],
} as const satisfies CommandTable

type AuditFlags = FlagsOf<typeof AUDIT.flags>

/** `rollbed journal audit`: which journal was signed, by whom, and which rules hold. */
export function addJournalAuditCommand(journal: Command, finish: (exitCode: number) => void): void {
  addCommand(journal, AUDIT).action(async (argument: string, flags: AuditFlags) =>
    finish(await audit(argument, flags)),
  )
}

async function audit(argument: string, flags: AuditFlags): Promise<number> {
  const { auditInput } = await import('#devnet/actors/journal-audit/audit-input')
  const { auditPage } = await import('#devnet/actors/journal-audit/audit-page')
  const { describeAudit } = await import('#devnet/actors/journal-audit/describe-audit')
  const { l1Client } = await import('#devnet/actors/l1-client')
  const content = await readArgument(argument)
  const json = asJson(content)
  const { signature, to } = flags
  const devnet = devnetOf(flags.config)
  const schedules = await schedulesOf(devnet)
  const given = json === undefined ? flags : await completed(flags, json, { devnet, schedules })
  const result = await auditInput(json === undefined ? { bytes: decodeText(content) } : { json }, {
    known: knownFrom(given),
    signers: given.signer,
    triesBytes: true,
    schedules,
    ...(flags.l1 && { l1: l1Client(httpRpcClient(flags.l1)) }),
    ...(signature && { signature }),
    ...(to && { to }),
  })
  if (flags.html) {
    await writeFile(flags.html, auditPage(result))
    console.error(`wrote ${flags.html}`)
  }
  console.log(flags.json ? jsonOf('journal audit', result) : describeAudit(result))
  return result.verdict === 'pass' ? ExitCode.ok : ExitCode.failed
}

/**
 * A ProofResult does not say for whom it was made, nor in which image: without both every claim would
 * look forged. The accounts and images of a devnet are in its description: those that a signature fits
 * are taken, and where none does, nobody is.
 */
async function completed(
  flags: AuditFlags,
  json: unknown,
  { devnet, schedules }: { devnet: DevnetDescription | undefined; schedules: NamedSchedule[] },
): Promise<AuditFlags> {
  if (flags.proposer && flags.imageHash) return flags
  const named = flags.config ? `devnet of ${flags.config}` : 'devnet of this folder'
  const proposers = flags.proposer
    ? [flags.proposer]
    : (devnet?.accounts.map(({ address }) => address) ?? [])
  const enclaves = devnet?.enclaves ?? []
  const imageHashes = flags.imageHash
    ? [flags.imageHash]
    : [...new Set(enclaves.map(({ imageHash }) => imageHash))]
  if (proposers.length === 0 || imageHashes.length === 0) throw new UsageError(NOT_GIVEN, ASK)
  const signer = flags.signer.length ? flags.signer : enclaves.map((enclave) => enclave.signer)
  const { findRequester } = await import('#devnet/actors/journal-audit/find-requester')
  const found = findRequester(json, knownFrom(flags), {
    proposers,
    imageHashes,
    signers: signer,
    schedules,
  })
  if (found) {
    const { proposer, teeImageHash } = found
    console.error(`taken from the ${named}: proposer ${proposer}, image ${teeImageHash}`)
    return { ...flags, proposer, imageHash: teeImageHash, signer }
  }
  console.error(`no signature fits an account and an image of the ${named}`)
  const [imageHash] = imageHashes.length === 1 ? imageHashes : []
  return { ...flags, ...(imageHash && { imageHash }), signer }
}

const NOT_GIVEN =
  'A ProofResult does not say for whom it was made, nor in which image: give --proposer and --image-hash.'
const ASK =
  'The proposer of the request, and keccak256 of the PCR0 of the enclave; no devnet is described in this folder. --config names the description of another.'

/** Of a devnet, where it has upgrades, and runs. */
async function schedulesOf(devnet: DevnetDescription | undefined): Promise<NamedSchedule[]> {
  const protocolVersions = devnet?.contracts?.protocolVersions
  if (!devnet || !protocolVersions) return []
  const { readSchedules } = await import('#devnet/actors/journal-audit/read-l1')
  const { l1Client } = await import('#devnet/actors/l1-client')
  const l1 = l1Client(httpRpcClient(devnet.l1RpcUrl))
  // One that has stopped names nothing; the audit is the same.
  return await readSchedules(l1, protocolVersions).catch(() => [])
}

/** Of --config, or of this folder where one is described. @throws UsageError */
function devnetOf(file: string | undefined): DevnetDescription | undefined {
  if (file) return describedDevnet(file)
  try {
    return readDevnetFile()
  } catch {
    return undefined
  }
}

function knownFrom(flags: AuditFlags) {
  const { proposer, imageHash, configHash, l1Origin, prevRoot, scheduleId, start, interval } = flags
  return {
    ...(proposer && { proposer }),
    ...(imageHash && { teeImageHash: imageHash }),
    ...(configHash && { configHash }),
    ...(l1Origin && { l1OriginHash: l1Origin }),
    ...(prevRoot && { prevOutputRoot: prevRoot }),
    ...(scheduleId && { scheduleId }),
    ...(start !== undefined && { startingL2Block: BigInt(start) }),
    ...(interval !== undefined && { interval: BigInt(interval) }),
  }
}
