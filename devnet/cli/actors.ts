import { type Command, Option } from 'commander'
import { type DevKey, roleKeys } from '#fixtures/chain/dev-keys'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import type { Address } from '#protocol/types/bytes'
import {
  type ActorFlags,
  actorCommand,
  address,
  certificateFile,
  type GameFlags,
  gameCommand,
  privateKey,
} from './actor-flags.ts'
import { readDevnetFile } from './devnet-file.ts'
import { oneOf, url } from './parse-number.ts'
import { playActor } from './play-actor.ts'

/** `rollbed actors …`: one actor, against any URLs or the running devnet, until a signal. */
export function addActorsCommand(program: Command, finish: (exitCode: number) => void): void {
  const actors = program
    .command('actors')
    .description('Run a proposer, challenger or registrar; without URLs, for the running devnet.')
  addProposer(actors, finish)
  addChallenger(actors, finish)
  addRegistrar(actors, finish)
}

interface ProposerFlags extends GameFlags {
  rollup?: string
  finality: 'safe' | 'finalized'
  dryRun?: boolean
  settle: boolean
  settleOnly?: boolean
  checkSigners: boolean
}

function addProposer(actors: Command, finish: (exitCode: number) => void): void {
  gameCommand(actors, 'proposer', 'Propose output roots, and settle the games and their bonds.')
    .addOption(new Option('--rollup <url>', 'rollup node RPC').argParser(url('--rollup')))
    .addOption(
      new Option('--finality <level>', 'which L2 blocks to propose: safe or finalized')
        .argParser(oneOf('--finality', ['safe', 'finalized']))
        .default('finalized'),
    )
    .option('--dry-run', 'prove and check, but send nothing')
    .option('--no-settle', 'leave resolving, closing and bonds to others')
    .addOption(
      new Option('--settle-only', 'propose nothing: resolve, close and claim bonds').conflicts([
        'settle',
        'dryRun',
        'rollup',
        'prover',
      ]),
    )
    .option('--no-check-signers', 'do not look up who signed a proof')
    .action(async (flags: ProposerFlags) => {
      const { proposerOf, settlerOf } = await import('#devnet/actors/proposer/start-proposer')
      const { finality, dryRun = false, settle, settleOnly, checkSigners } = flags
      const games = gamesOf(flags, roleKeys.proposer)
      if (settleOnly) {
        const play = playActor('settler', flags, (around, ending) =>
          settlerOf({ ...games, ...around }, ending),
        )
        return finish(await play)
      }
      const setup = {
        ...games,
        proverUrl: flags.prover ?? readDevnetFile().proverUrl,
        rollupRpcUrl: flags.rollup ?? readDevnetFile().rollupRpcUrl,
        ...{ finality, dryRun, settle, checkSigners },
      }
      const play = playActor('proposer', flags, (around, ending) =>
        proposerOf({ ...setup, ...around }, ending),
      )
      finish(await play)
    })
}

function addChallenger(actors: Command, finish: (exitCode: number) => void): void {
  gameCommand(actors, 'challenger', 'Recompute the roots of every game, nullify wrong proofs.')
    .addOption(new Option('--rpc <url>', 'L2 RPC with old states').argParser(url('--rpc')))
    .action(async (flags: GameFlags & { rpc?: string }) => {
      const { challengerOf } = await import('#devnet/actors/challenger/start-challenger')
      const setup = {
        ...gamesOf(flags, roleKeys.challenger),
        proverUrl: flags.prover ?? readDevnetFile().proverUrl,
        l2RpcUrl: flags.rpc ?? readDevnetFile().rpcUrl,
      }
      const play = playActor('challenger', flags, (around, ending) =>
        challengerOf({ ...setup, ...around }, ending),
      )
      finish(await play)
    })
}

interface RegistrarFlags extends ActorFlags {
  prover?: string[]
  registry?: Address
  attester?: DevKey
  trustedRoot?: Uint8Array
}

function addRegistrar(actors: Command, finish: (exitCode: number) => void): void {
  actorCommand(actors, 'registrar', 'Register attested enclave signers, deregister orphans.')
    .addOption(
      new Option('--prover <url>', 'prover host; may be repeated').argParser(
        (text, others: string[] = []) => [...others, url('--prover')(text)],
      ),
    )
    .addOption(
      new Option('--registry <address>', 'TEEProverRegistry').argParser(address('--registry')),
    )
    .addOption(
      new Option(
        '--attester <hex>',
        'private key that the dev attestation verifier believes',
      ).argParser(privateKey('--attester')),
    )
    .addOption(
      new Option(
        '--trusted-root <file>',
        'certificate of a simulated root to trust, on a devnet only; default the AWS root',
      ).argParser(certificateFile('--trusted-root')),
    )
    .action(async (flags: RegistrarFlags) => {
      const { registrarOf } = await import('#devnet/actors/registrar/start-registrar')
      const { key = roleKeys.registrar, attester } = flags
      const setup = {
        l1RpcUrl: flags.l1 ?? readDevnetFile().l1RpcUrl,
        proverUrls: flags.prover ?? [readDevnetFile().proverUrl],
        registry: flags.registry ?? readDevnetFile().contracts.teeProverRegistry,
        key,
        ...(attester && { attester: attester.privateKey }),
        // Other hosts than the devnet's are no simulation unless it is said.
        trustedRoot:
          flags.trustedRoot ??
          (flags.prover ? undefined : hexToBytes(readDevnetFile().attestationRoot)),
      }
      const play = playActor('registrar', flags, (around, ending) =>
        registrarOf({ ...setup, ...around }, ending),
      )
      finish(await play)
    })
}

function gamesOf(flags: GameFlags, devKey: DevKey) {
  return {
    l1RpcUrl: flags.l1 ?? readDevnetFile().l1RpcUrl,
    factory: flags.factory ?? readDevnetFile().contracts.disputeGameFactory,
    gameType: flags.gameType,
    key: flags.key ?? devKey,
  }
}
