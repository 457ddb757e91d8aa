import { cannotJudge } from '../case-failure.ts'
import type { Scene } from '../conformance-case.ts'
import type { Driver } from '../drivers/driver.ts'
import { deployment } from '../probes/assembly.ts'
import { PROBE_CODE, type ProbeName, placedAddress } from '../probes/probe-code.ts'
import type { Hex } from '../wire/hex.ts'

export type Probes = Record<ProbeName, Hex>

/** Probe contracts of this run: deployed and sealed, or put in place by overrides. */
export const probeContracts: Scene<Probes> = {
  name: 'probe contracts',
  kind: 'fact',
  async build({ driver }) {
    if (driver.onlyReads) return eachProbe(placedAddress)
    if (driver.deployOnce) return deployOnce(driver.deployOnce)
    const hashes: Promise<Hex>[] = Object.values(PROBE_CODE).map((code) =>
      driver.send({ account: 0, data: deployment(code) }),
    )
    const sealed = await Promise.all((await Promise.all(hashes)).map((hash) => driver.sealed(hash)))
    const entries = Object.keys(PROBE_CODE).map((name, index) => {
      const address = sealed[index]?.contract
      if (!address || !sealed[index]?.succeeded) cannotJudge(`The probe ${name} was not deployed.`)
      return [name, address]
    })
    return Object.fromEntries(entries) as Probes
  },
}

/** Those that keep nothing stay on the chain for the next run; the others begin empty each time. */
async function deployOnce(deploy: NonNullable<Driver['deployOnce']>): Promise<Probes> {
  const names = Object.keys(PROBE_CODE) as ProbeName[]
  const addresses = await Promise.all(
    names.map((name) =>
      deploy(name, deployment(PROBE_CODE[name]), { isFresh: KEEPS_STATE.includes(name) }),
    ),
  )
  return eachProbe((name) => addresses[names.indexOf(name)]!)
}

const KEEPS_STATE: readonly ProbeName[] = ['store', 'counter']

function eachProbe(addressOf: (name: ProbeName) => Hex): Probes {
  const names = Object.keys(PROBE_CODE) as ProbeName[]
  return Object.fromEntries(names.map((name) => [name, addressOf(name)])) as Probes
}
