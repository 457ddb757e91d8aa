import { badRoot, badRoots } from './bad-root.ts'
import { expiredOrigin } from './expired-origin.ts'
import { falseParent } from './false-parent.ts'
import { honestGame } from './honest-game.ts'
import { invalidParent } from './invalid-parent.ts'
import { moreRoots } from './more-roots.ts'
import { nullifiedVerifier } from './nullified-verifier.ts'
import { rotationBegins } from './rotation-begins.ts'
import { rotationOverlap } from './rotation-overlap.ts'
import type { Scenario } from './scenario.ts'
import { staleL1Head } from './stale-l1-head.ts'
import { timePasses } from './time-passes.ts'
import { unregisteredSigner } from './unregistered-signer.ts'
import { wrongInterval } from './wrong-interval.ts'

/** Every situation that can be asked for by name. */
export const scenarios: readonly Scenario[] = [
  honestGame,
  badRoot('first'),
  badRoot('middle'),
  badRoot('last'),
  badRoots('two'),
  badRoots('three'),
  wrongInterval,
  falseParent,
  staleL1Head,
  unregisteredSigner,
  moreRoots,
  rotationBegins,
  rotationOverlap,
  nullifiedVerifier,
  expiredOrigin,
  invalidParent,
  timePasses,
]
