import type { Command } from 'commander'
import { byteTable } from '#devnet/actors/journal-audit/describe-audit'
import { identifyLayouts } from '#devnet/actors/journal-audit/identify-layouts'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { keccak256 } from '#protocol/crypto/keccak'
import { decodeJournal } from '#protocol/journal/decode-journal'
import { encodeJournal } from '#protocol/journal/encode-journal'
import { byteMap, journalLayouts } from '#protocol/journal/layouts'
import { recoverSigner } from '#protocol/journal/recover-signer'
import type { Hex } from '#protocol/types/bytes'
import { addCommand, type CommandTable } from './add-command.ts'
import { ExitCode } from './exit-code.ts'
import { type FlagsOf, on, value } from './flags.ts'
import { addJournalAuditCommand } from './journal-audit.ts'
import { jsonOf } from './json-of.ts'
import { hexBytes } from './parse-hex.ts'
import { oneOf } from './parse-number.ts'
import { asJson, decodeText, readArgument } from './read-input.ts'
import { UsageError } from './usage-error.ts'

const LAYOUTS = journalLayouts.map(({ name }) => name)
const layout = value('<name>', LAYOUTS.join(', '), oneOf(LAYOUTS))

const ENCODE = {
  name: 'encode',
  says: 'Pack a journal from a JSON file, or from - for standard input.',
  takes: { '<json>': 'a file, or -' },
  flags: { layout, json: on('print {journal, size, digest}') },
  examples: ['rollbed journal encode journal.json'],
} as const satisfies CommandTable

const DECODE = {
  name: 'decode',
  says: 'Name the byte ranges of a journal: 0x and hexadecimal, a file, or -.',
  takes: { '<journal>': '0x and hexadecimal, a file, or -' },
  flags: { layout, json: on('print {layout, size, journal, map}') },
  examples: ['rollbed journal decode journal.hex'],
} as const satisfies CommandTable

const VERIFY = {
  name: 'verify',
  says: 'Recover who signed a journal; exit 1 when it is not --signer, or nobody.',
  takes: { '<journal>': '0x and hexadecimal, a file, or -' },
  flags: {
    signature: value('<hex>', 'r ‖ s ‖ v; v 0, 1, 27 or 28', hexBytes(), { isRequired: true }),
    signer: value('<address>', 'who should have signed', hexBytes(20)),
    json: on('print {signer, valid}'),
  },
  examples: ['rollbed journal verify journal.hex --signature 0x…'],
} as const satisfies CommandTable

/** `rollbed journal`: what enclaves sign, on the command line. */
export function addJournalCommand(program: Command, finish: (exitCode: number) => void): void {
  const journal = addCommand(program, {
    name: 'journal',
    says: 'Encode, decode, verify and audit the journals that enclaves sign.',
    examples: ['rollbed journal audit proof.json', 'rollbed journal decode journal.hex'],
  })

  addCommand(journal, ENCODE).action(
    async (argument: string, flags: FlagsOf<typeof ENCODE.flags>) => {
      const json = asJson(await readArgument(argument))
      if (json === undefined) throw new UsageError(`'${argument}' holds no JSON.`)
      const { journalFromJson } = await import('#devnet/actors/journal-audit/journal-json')
      const packed = encodeJournal(journalFromJson(json), layoutOf(flags.layout))
      const digest = bytesToHex(keccak256(packed))
      const hex = bytesToHex(packed)
      console.log(
        flags.json ? jsonOf('journal encode', { journal: hex, size: packed.length, digest }) : hex,
      )
    },
  )

  addCommand(journal, DECODE).action(
    async (argument: string, flags: FlagsOf<typeof DECODE.flags>) => {
      const bytes = decodeText(await readArgument(argument))
      const made = flags.layout ? layoutOf(flags.layout) : identifyLayouts(bytes)[0]!.layout
      const decoded = decodeJournal(bytes, made)
      const map = byteMap(made, decoded.intermediateRoots.length)
      const fields = map.map(({ field, offset, size }) => {
        const part = bytesToHex(bytes.subarray(offset, offset + size))
        const isNumber = field.endsWith('Block')
        return {
          field,
          offset,
          size,
          bytes: part,
          value: isNumber ? `${BigInt(part)}` : part,
          assumed: false,
        }
      })
      const { journalToJson } = await import('#devnet/actors/journal-audit/journal-json')
      const summary = {
        layout: made.name,
        size: bytes.length,
        journal: journalToJson(decoded),
        map,
      }
      console.log(
        flags.json
          ? jsonOf('journal decode', summary)
          : [`${made.name}, ${bytes.length} bytes`, ...byteTable(fields)].join('\n'),
      )
    },
  )

  addCommand(journal, VERIFY).action(
    async (argument: string, flags: FlagsOf<typeof VERIFY.flags>) => {
      const bytes = decodeText(await readArgument(argument))
      const signer = recoverSigner(bytes, withRecoveryId(flags.signature))
      const valid = flags.signer === undefined || flags.signer === signer
      console.log(flags.json ? jsonOf('journal verify', { signer, valid }) : signer)
      finish(valid ? ExitCode.ok : ExitCode.failed)
    },
  )

  addJournalAuditCommand(journal, finish)
}

function layoutOf(name: string | undefined) {
  return journalLayouts.find((each) => each.name === name) ?? journalLayouts[0]!
}

/** L1 has 27 and 28 for v (SIG-06); enclaves 0 and 1. */
function withRecoveryId(signature: Hex): Hex {
  const v = { '1b': '00', '1c': '01' }[signature.slice(130)]
  return v === undefined ? signature : (`${signature.slice(0, 130)}${v}` as Hex)
}
