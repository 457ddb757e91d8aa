import { writeFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import type { Address, Hash, Hex } from '#protocol/types/bytes'
import { readDevnetFile } from './devnet-file.ts'
import { ExitCode } from './exit-code.ts'
import { hexBytes, hexList } from './parse-hex.ts'
import { url, wholeNumber } from './parse-number.ts'
import { asJson, decodeText, readArgument } from './read-input.ts'
import { UsageError } from './usage-error.ts'

interface AuditFlags {
  proposer?: Address
  imageHash?: Hash
  configHash?: Hash
  l1Origin?: Hash
  prevRoot?: Hash
  scheduleId?: Hash
  start?: number
  interval?: number
  signer: Address[]
  signature?: Hex
  l1?: string
  to?: Address
  html?: string
  json?: boolean
}

/** `rollbed journal audit`: which journal was signed, by whom, and which rules hold. */
export function addJournalAuditCommand(journal: Command, finish: (exitCode: number) => void): void {
  const hash = (flags: string, says: string) =>
    new Option(`${flags} <hash>`, says).argParser(hexBytes(flags, 32))
  const address = (flags: string, says: string) =>
    new Option(`${flags} <address>`, says).argParser(hexBytes(flags, 20))
  journal
    .command('audit <input>')
    .description(
      'Judge a journal, a ProofResult (JSON), calldata or an L1 transaction: 0x and hexadecimal, a file, or -. Tries every layout known and says which one a signature fits.',
    )
    .addOption(address('--proposer', 'proposer in the journals'))
    .addOption(hash('--image-hash', 'keccak256 of the enclave image PCR0'))
    .addOption(hash('--config-hash', 'per-chain config hash'))
    .addOption(hash('--l1-origin', 'L1 head of the journal'))
    .addOption(hash('--prev-root', 'output root before the range'))
    .addOption(hash('--schedule-id', 'of the layout that has one'))
    .addOption(
      new Option('--start <block>', 'block before the range').argParser(
        wholeNumber('--start', 0, Number.MAX_SAFE_INTEGER),
      ),
    )
    .addOption(
      new Option('--interval <blocks>', 'sampling stride of intermediate roots').argParser(
        wholeNumber('--interval', 1, Number.MAX_SAFE_INTEGER),
      ),
    )
    .addOption(
      new Option('--signer <address>', 'who may have signed; may be repeated')
        .argParser(hexList('--signer', 20))
        .default([], 'those registered on L1, or whom signatures agree on'),
    )
    .addOption(new Option('--signature <hex>', 'of a journal').argParser(hexBytes('--signature')))
    .addOption(
      new Option(
        '--l1 <url>',
        'L1 with the transaction, games and signers, and the header of the L1 head',
      ).argParser(url('--l1')),
    )
    .addOption(address('--to', 'contract that calldata is for, with --l1'))
    .option('--html <file>', 'write a page with the byte map')
    .option('--json', 'print the audit as JSON')
    .action(async (argument: string, flags: AuditFlags) => finish(await audit(argument, flags)))
}

async function audit(argument: string, flags: AuditFlags): Promise<number> {
  const { auditInput } = await import('#devnet/actors/journal-audit/audit-input')
  const { auditPage } = await import('#devnet/actors/journal-audit/audit-page')
  const { describeAudit } = await import('#devnet/actors/journal-audit/describe-audit')
  const { l1Client } = await import('#devnet/actors/l1-client')
  const content = await readArgument(argument)
  const json = asJson(content)
  const { signature, to } = flags
  const given = json === undefined ? flags : completed(flags)
  const result = await auditInput(json === undefined ? { bytes: decodeText(content) } : { json }, {
    known: knownFrom(given),
    signers: given.signer,
    ...(flags.l1 && { l1: l1Client(httpRpcClient(flags.l1)) }),
    ...(signature && { signature }),
    ...(to && { to }),
  })
  if (flags.html) {
    await writeFile(flags.html, auditPage(result))
    console.error(`wrote ${flags.html}`)
  }
  console.log(flags.json ? JSON.stringify(result) : describeAudit(result))
  return result.verdict === 'pass' ? ExitCode.ok : ExitCode.failed
}

/**
 * A ProofResult does not say for whom it was made, nor in which image: without both every claim would
 * look forged. A devnet's own are in its description.
 */
function completed(flags: AuditFlags): AuditFlags {
  if (flags.proposer && flags.imageHash) return flags
  const devnet = devnetHere()
  const proposer = flags.proposer ?? devnet?.accounts[0]?.address
  const imageHash = flags.imageHash ?? devnet?.enclaves[0]?.imageHash
  if (!proposer || !imageHash) throw new UsageError(NOT_GIVEN, ASK)
  console.error(
    '--proposer and --image-hash, where not given, are those of the devnet of this folder',
  )
  const signers = devnet?.enclaves.map(({ signer }) => signer) ?? []
  return { ...flags, proposer, imageHash, signer: flags.signer.length ? flags.signer : signers }
}

const NOT_GIVEN =
  'A ProofResult does not say for whom it was made, nor in which image: give --proposer and --image-hash.'
const ASK =
  'The proposer of the request, and keccak256 of the PCR0 of the enclave; no devnet is described in this folder.'

function devnetHere(): DevnetDescription | undefined {
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
