import { cannotJudge } from '../case-failure.ts'
import type { Hex } from '../drivers/driver.ts'
import { deployment } from '../probes/assembly.ts'
import {
  BALANCE_PROBE,
  CONTEXT_PROBE,
  COUNTER_PROBE,
  ECHO_PROBE,
  FORWARD_PROBE,
  GAS_PROBE,
  LOG_PROBE,
  LOOP_PROBE,
  REVERT_PROBE,
  STORE_PROBE,
} from '../probes/contracts.ts'
import type { Scene } from './scene-store.ts'

const CODE = {
  context: CONTEXT_PROBE,
  echo: ECHO_PROBE,
  gas: GAS_PROBE,
  revert: REVERT_PROBE,
  store: STORE_PROBE,
  /** No transaction goes there, so that its count tells what calls and simulations left behind. */
  counter: COUNTER_PROBE,
  balance: BALANCE_PROBE,
  loop: LOOP_PROBE,
  forward: FORWARD_PROBE,
  /** Three emitters with the same code for sealed logs, one for each scene that passes. */
  logA: LOG_PROBE,
  logB: LOG_PROBE,
  logC: LOG_PROBE,
  logPending: LOG_PROBE,
  logStream: LOG_PROBE,
}

export type Probes = Record<keyof typeof CODE, Hex>

/** Probe contracts of this run, deployed and sealed. */
export const probeContracts: Scene<Probes> = {
  name: 'probe contracts',
  kind: 'fact',
  async build({ driver }) {
    const hashes: Promise<Hex>[] = Object.values(CODE).map((code) =>
      driver.send({ account: 0, data: deployment(code) }),
    )
    const sealed = await Promise.all((await Promise.all(hashes)).map((hash) => driver.sealed(hash)))
    const entries = Object.keys(CODE).map((name, index) => {
      const address = sealed[index]?.contract
      if (!address || !sealed[index]?.succeeded) cannotJudge(`The probe ${name} was not deployed.`)
      return [name, address]
    })
    return Object.fromEntries(entries) as Probes
  },
}
