import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { privateKeyToAddress } from 'viem/accounts'
import { gameType } from '#fixtures/chain/constants'
import type { DevKey } from '#fixtures/chain/dev-keys'
import type { Address, Hex } from '#protocol/types/bytes'
import { type ListenAddress, listenAddress } from './listen-address.ts'
import { url, wholeNumber } from './parse-number.ts'
import { UsageError } from './usage-error.ts'

/** What every actor takes. */
export interface ActorFlags {
  l1?: string
  key?: DevKey
  /** Seconds. */
  interval: number
  metricsListen?: ListenAddress
  once?: boolean
  json?: boolean
  verbose?: boolean
}

/** What an actor that plays games takes. */
export interface GameFlags extends ActorFlags {
  prover?: string
  factory?: Address
  gameType: number
}

export function actorCommand(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .addOption(new Option('--l1 <url>', 'L1 RPC').argParser(url('--l1')))
    .addOption(
      new Option('--key <hex>', "private key on L1; default the devnet's own")
        .env('ROLLBED_ACTOR_KEY')
        .argParser(privateKey('--key')),
    )
    .addOption(
      new Option('--interval <s>', 'seconds between two looks')
        .argParser(wholeNumber('--interval', 1, 3600))
        .default(2),
    )
    .addOption(
      new Option('--metrics-listen <host:port>', 'where GET /metrics is served; without it nowhere')
        .argParser(listenAddress('--metrics-listen'))
        .conflicts('once'),
    )
    .option('--once', 'one round, then exit: 0 done or nothing to do, 1 it could not')
    .option('--json', 'print what happens as one line of JSON each')
    .option('--verbose', 'log to standard error')
}

export function gameCommand(parent: Command, name: string, description: string): Command {
  return actorCommand(parent, name, description)
    .addOption(new Option('--prover <url>', 'prover host').argParser(url('--prover')))
    .addOption(
      new Option('--factory <address>', 'DisputeGameFactory').argParser(address('--factory')),
    )
    .addOption(
      new Option('--game-type <n>', 'type of the games')
        .argParser(wholeNumber('--game-type', 0, 0xffff_ffff))
        .default(gameType),
    )
}

/** A commander argument parser for addresses. @throws UsageError */
export function address(name: string) {
  return (text: string): Address => {
    if (/^0x[0-9a-fA-F]{40}$/.test(text)) return text.toLowerCase() as Address
    throw new UsageError(`${name} must be 0x and 40 hexadecimal digits, not '${text}'.`)
  }
}

/** A commander argument parser for secp256k1 keys. @throws UsageError */
export function privateKey(name: string) {
  return (text: string): DevKey => {
    try {
      const address = privateKeyToAddress(text as Hex).toLowerCase() as Address
      return { address, privateKey: text as Hex }
    } catch {
      // Not repeated: it may be a key all the same.
      throw new UsageError(`${name} must be a private key: 0x and 64 hexadecimal digits.`)
    }
  }
}

/**
 * A commander argument parser for a certificate's file, DER or PEM. @returns DER
 * @throws UsageError
 */
export function certificateFile(name: string) {
  return (path: string): Uint8Array => {
    try {
      return new Uint8Array(new X509Certificate(readFileSync(path)).raw)
    } catch {
      throw new UsageError(`${name} must be the file of an X.509 certificate, not '${path}'.`)
    }
  }
}
