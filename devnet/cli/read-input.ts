import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import type { Hex } from '#protocol/types/bytes'
import { UsageError } from './usage-error.ts'

/** Far above any journal, answer or attestation. */
const MAX_SIZE = 64 * 1024 * 1024

/**
 * Bytes of an argument that is hex with 0x, a file, or `-` for standard input.
 * @throws UsageError
 */
export async function readArgument(argument: string): Promise<Uint8Array> {
  if (argument.startsWith('0x') && isHex(argument.slice(2))) return hexToBytes(argument as Hex)
  const read = argument === '-' ? buffer(process.stdin) : readFile(argument)
  const content = await read.catch(() => {
    throw new UsageError(`'${argument}' is neither 0x and bytes in hexadecimal nor a file.`)
  })
  if (content.length > MAX_SIZE) throw new UsageError(`'${argument}' is larger than 64 MiB.`)
  return content
}

/** Text that is hex or base64 as the bytes it stands for; anything else as it is. */
export function decodeText(content: Uint8Array): Uint8Array {
  const text = Buffer.from(content).toString('latin1').replaceAll(/\s/g, '')
  const digits = text.replace(/^0x/, '')
  if (digits !== '' && isHex(digits)) return Buffer.from(digits, 'hex')
  return /^[A-Za-z0-9+/]{16,}={0,2}$/.test(text) ? Buffer.from(text, 'base64') : content
}

/** Whole bytes. A pattern of pairs takes stack for each, and runs out of it at some megabytes. */
const isHex = (digits: string) => digits.length % 2 === 0 && !/[^0-9a-f]/i.test(digits)

/** JSON when the content is an object or array; undefined otherwise. */
export function asJson(content: Uint8Array): unknown {
  const text = Buffer.from(content).toString('utf8').trim()
  if (!/^[{[]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
