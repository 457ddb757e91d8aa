import { answerBugs } from './answer-bugs.ts'
import { chainBugs } from './chain-bugs.ts'
import { clientBugs } from './client-bugs.ts'
import { enclaveBugs } from './enclave-bugs.ts'
import { hostBugs } from './host-bugs.ts'
import { nodeBugs } from './node-bugs.ts'
import type { PlantedBug } from './planted-bug.ts'
import { serviceBugs } from './service-bugs.ts'

export const plantedBugs: readonly PlantedBug[] = [
  ...answerBugs,
  ...chainBugs,
  ...clientBugs,
  ...enclaveBugs,
  ...hostBugs,
  ...nodeBugs,
  ...serviceBugs,
]
