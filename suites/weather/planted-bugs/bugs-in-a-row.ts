import type { RpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { rpcClientOf } from '#devnet/base/json-rpc/rpc-endpoint'
import { randomBuilderCode } from '#devnet/builder-codes/builder-code'
import { openCodeRegistry } from '#devnet/builder-codes/code-registry'
import type { FaultPlan } from '#devnet/faults/fault-plan'
import { hostPart } from '#devnet/rollup/parts/host-part'
import type { SimulatedWorldOptions } from '#devnet/rollup/world/world-ground'
import { withTimeout } from '#protocol/clock/clock'
import { seededRng } from '#protocol/random/rng'
import type { PlantedBug } from './planted-bug.ts'
import { withMembers } from './with-members.ts'

/** One that shows where two rare things happen in a row, and what it needs of a world. */
export interface BugInARow extends PlantedBug {
  world: Pick<SimulatedWorldOptions, 'enclaves' | 'actors'>
  /** All that clients do, in a minute; of it a run draws as of any load. */
  load: readonly (keyof FaultPlan['load'])[]
}

/** Milliseconds after which a registry is silent. */
const SILENCE = 300

export const bugsInARow: readonly BugInARow[] = [
  {
    name: 'tells-codes-when-its-disk-refuses-again',
    says: 'A registry whose disk refused a code, and took one again, tells what it could not store when the disk refuses once more.',
    breaks: 'codes-last',
    world: { enclaves: 0, actors: false },
    load: ['registrations'],
    plant() {
      const unstored = seededRng('codes that nobody stored')
      let state: 'well' | 'refused' | 'careless' = 'well'
      return {
        openCodeRegistry(where, rng, onOpen) {
          const registry = openCodeRegistry(where, rng, onOpen)
          return withMembers(registry, {
            register(wallet) {
              try {
                const registration = registry.register(wallet)
                if (state === 'refused' && registration.created) state = 'careless'
                return registration
              } catch (error) {
                if (state !== 'careless') {
                  state = 'refused'
                  throw error
                }
                const builderCode = randomBuilderCode(unstored)
                return { builderCode, walletAddress: wallet, created: true }
              }
            },
          })
        },
      }
    },
  },
  {
    name: 'proves-nothing-after-a-silence-and-a-restart',
    says: 'A host that met a silent registry keeps that, and once it is started anew it refuses every proof.',
    breaks: 'works-again',
    // A registrar makes the key of an enclave known that came back.
    world: { enclaves: 1, actors: true },
    load: ['proofs'],
    plant() {
      let wasSilent = false
      return {
        host: {
          ...hostPart,
          start(context, given) {
            const isBroken = wasSilent
            const registry = rpcClientOf(context.links['host-registry'])
            const late = () => new Error('late')
            const listening: RpcClient = {
              request(method, params, signal) {
                const answer = registry.request(method, params, signal)
                withTimeout(context.clock, SILENCE, answer, late).catch((error: Error) => {
                  if (error.message === 'late') wasSilent = true
                })
                return answer
              },
            }
            const links = { ...context.links, 'host-registry': listening }
            const methods = hostPart.start({ ...context, links }, given)
            if (!isBroken) return methods
            const prover_prove = () => Promise.reject(new Error('It was silent once.'))
            return { ...methods, prover_prove }
          },
        },
      }
    },
  },
]
