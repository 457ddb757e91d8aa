import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { privateKeyToAddress } from 'viem/accounts'
import { gameType } from '#fixtures/chain/constants'
import type { DevKey } from '#fixtures/chain/dev-keys'
import type { Address, Hex } from '#protocol/types/bytes'
import { type FlagsOf, on, type Parser, value } from './flags.ts'
import { listenAddress } from './listen-address.ts'
import { url, wholeNumber } from './parse-number.ts'
import { UsageError } from './usage-error.ts'

/** Reads addresses. @throws UsageError */
export const address: Parser<Address> = (name) => (text) => {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return text.toLowerCase() as Address
  throw new UsageError(`${name} must be 0x and 40 hexadecimal digits, not '${text}'.`)
}

/** Reads secp256k1 keys. @throws UsageError */
export const privateKey: Parser<DevKey> = (name) => {
  return (text) => {
    try {
      const address = privateKeyToAddress(text as Hex).toLowerCase() as Address
      return { address, privateKey: text as Hex }
    } catch {
      // Not repeated: it may be a key all the same.
      throw new UsageError(`${name} must be a private key: 0x and 64 hexadecimal digits.`)
    }
  }
}

/** Reads the file of a certificate, DER or PEM, as DER. @throws UsageError */
export const certificateFile: Parser<Uint8Array> = (name) => {
  return (path) => {
    try {
      return new Uint8Array(new X509Certificate(readFileSync(path)).raw)
    } catch {
      throw new UsageError(`${name} must be the file of an X.509 certificate, not '${path}'.`)
    }
  }
}

/** What every actor takes. */
export const ACTOR_FLAGS = {
  l1: value('<url>', 'L1 RPC', url),
  key: value('<hex>', "private key on L1; default the devnet's own", privateKey, {
    env: 'ROLLBED_ACTOR_KEY',
  }),
  interval: value('<s>', 'seconds between two looks', wholeNumber(1, 3600), { default: 2 }),
  metricsListen: value(
    '<host:port>',
    'where GET /metrics is served; without it nowhere',
    listenAddress,
    { conflicts: ['once'] },
  ),
  once: on('one round, then exit: 0 done or nothing to do, 1 it could not'),
  json: on('print what happens as one line of JSON each'),
  verbose: on('log to standard error'),
}

/** What an actor that plays games takes. */
export const GAME_FLAGS = {
  ...ACTOR_FLAGS,
  prover: value('<url>', 'prover host', url),
  factory: value('<address>', 'DisputeGameFactory', address),
  gameType: value('<n>', 'type of the games', wholeNumber(0, 0xffff_ffff), { default: gameType }),
}

export type ActorFlags = FlagsOf<typeof ACTOR_FLAGS>
export type GameFlags = FlagsOf<typeof GAME_FLAGS>
