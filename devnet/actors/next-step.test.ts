import { expect, test } from 'vitest'
import type { ChallengerOutcome } from './challenger/create-challenger.ts'
import { nextStep } from './next-step.ts'
import type { ProposerOutcome } from './proposer/create-proposer.ts'
import type { RegistrarOutcome } from './registrar/create-registrar.ts'

const idle = true
const hosts = { idle, registered: [], deregistered: [], kept: [], reachable: 1, hosts: 1 }
const game = `0x${'ab'.repeat(20)}` as const

test.each<[string, ProposerOutcome | ChallengerOutcome | RegistrarOutcome, string]>([
  [
    'a proposer that waits',
    { kind: 'waiting', idle, block: 20n, head: 14n },
    'propose block 20, once it is final (14 is)',
  ],
  [
    'a proposer that cannot',
    { kind: 'blocked', idle, reason: 'why' },
    'go on when this is over: why',
  ],
  [
    'a proposer that was overtaken',
    { kind: 'exists', idle: false, block: 20n, root: `0x${'11'.repeat(32)}` },
    'propose the next block',
  ],
  ['a challenger without games', { kind: 'watching', idle, games: 0 }, 'no games to check'],
  ['a challenger with a game', { kind: 'watching', idle, games: 1 }, '1 game to check'],
  [
    'a registrar that was refused',
    {
      ...{ kind: 'reconciled', ...hosts },
      refused: [
        { signer: game, reason: 'old' },
        { signer: game, reason: 'old' },
      ],
    },
    '2 signers to register',
  ],
  ['a challenger that acted', { kind: 'overtaken', idle: false, game }, ''],
])('given %s, then its next step is told', (_, outcome, next) => {
  expect(nextStep(outcome)).toBe(next)
})
