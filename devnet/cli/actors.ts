import type { Command } from 'commander'
import { type DevKey, roleKeys } from '#fixtures/chain/dev-keys'
import { hexToBytes } from '#protocol/bytes/hex-to-bytes'
import {
  ACTOR_FLAGS,
  address,
  certificateFile,
  GAME_FLAGS,
  type GameFlags,
  privateKey,
} from './actor-flags.ts'
import { addCommand, type CommandTable } from './add-command.ts'
import { readDevnetFile } from './devnet-file.ts'
import { type FlagsOf, off, on, value } from './flags.ts'
import { oneOf, url } from './parse-number.ts'
import { playActor } from './play-actor.ts'
import { proverOf } from './prover-of.ts'

/** `rollbed actors …`: one actor, against any URLs or the running devnet, until a signal. */
export function addActorsCommand(program: Command, finish: (exitCode: number) => void): void {
  const actors = addCommand(program, {
    name: 'actors',
    says: 'Run a proposer, challenger or registrar; without URLs, for the running devnet.',
    examples: ['rollbed actors proposer', 'rollbed actors challenger --once'],
  })
  addProposer(actors, finish)
  addChallenger(actors, finish)
  addRegistrar(actors, finish)
}

const PROPOSER = {
  name: 'proposer',
  says: 'Propose output roots, and settle the games and their bonds.',
  flags: {
    ...GAME_FLAGS,
    rollup: value('<url>', 'rollup node RPC', url),
    finality: value(
      '<level>',
      'which L2 blocks to propose: safe or finalized',
      oneOf(['safe', 'finalized']),
      { default: 'finalized' },
    ),
    dryRun: on('prove and check, but send nothing'),
    settle: off('leave resolving, closing and bonds to others'),
    settleOnly: on('propose nothing: resolve, close and claim bonds', {
      conflicts: ['settle', 'dryRun', 'rollup', 'prover'],
    }),
    checkSigners: off('do not look up who signed a proof'),
  },
  examples: ['rollbed actors proposer --finality safe', 'rollbed actors proposer --once --dry-run'],
} as const satisfies CommandTable

function addProposer(actors: Command, finish: (exitCode: number) => void): void {
  addCommand(actors, PROPOSER).action(async (flags: FlagsOf<typeof PROPOSER.flags>) => {
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
      proverUrl: flags.prover ?? proverOf(readDevnetFile()),
      rollupRpcUrl: flags.rollup ?? readDevnetFile().rollupRpcUrl,
      ...{ finality, dryRun, settle, checkSigners },
    }
    const play = playActor('proposer', flags, (around, ending) =>
      proposerOf({ ...setup, ...around }, ending),
    )
    finish(await play)
  })
}

const CHALLENGER = {
  name: 'challenger',
  says: 'Recompute the roots of every game, nullify wrong proofs.',
  flags: { ...GAME_FLAGS, rpc: value('<url>', 'L2 RPC with old states', url) },
  examples: ['rollbed actors challenger'],
} as const satisfies CommandTable

function addChallenger(actors: Command, finish: (exitCode: number) => void): void {
  addCommand(actors, CHALLENGER).action(async (flags: FlagsOf<typeof CHALLENGER.flags>) => {
    const { challengerOf } = await import('#devnet/actors/challenger/start-challenger')
    const setup = {
      ...gamesOf(flags, roleKeys.challenger),
      proverUrl: flags.prover ?? proverOf(readDevnetFile()),
      l2RpcUrl: flags.rpc ?? readDevnetFile().rpcUrl,
    }
    const play = playActor('challenger', flags, (around, ending) =>
      challengerOf({ ...setup, ...around }, ending),
    )
    finish(await play)
  })
}

const REGISTRAR = {
  name: 'registrar',
  says: 'Register attested enclave signers, deregister orphans.',
  flags: {
    ...ACTOR_FLAGS,
    prover: value(
      '<url>',
      'prover host; may be repeated',
      (name): ((host: string, others?: string[]) => string[]) =>
        (host, others = []) => [...others, url(name)(host)],
    ),
    registry: value('<address>', 'TEEProverRegistry', address),
    attester: value('<hex>', 'private key that the dev attestation verifier believes', privateKey),
    trustedRoot: value(
      '<file>',
      'certificate of a simulated root to trust, on a devnet only; default the AWS root',
      certificateFile,
    ),
  },
  examples: ['rollbed actors registrar --once'],
} as const satisfies CommandTable

function addRegistrar(actors: Command, finish: (exitCode: number) => void): void {
  addCommand(actors, REGISTRAR).action(async (flags: FlagsOf<typeof REGISTRAR.flags>) => {
    const { registrarOf } = await import('#devnet/actors/registrar/start-registrar')
    const { key = roleKeys.registrar, attester } = flags
    const setup = {
      l1RpcUrl: flags.l1 ?? readDevnetFile().l1RpcUrl,
      proverUrls: flags.prover ?? [proverOf(readDevnetFile())],
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
