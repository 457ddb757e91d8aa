import type { World } from '#devnet/rollup/world/world'
import { owner } from '#devnet/scenarios/scenario-context'
import { signersOf } from '#devnet/scenarios/unregistered-signer'
import { teeProverRegistryAbi } from '#fixtures/contracts/TEEProverRegistry.abi'
import { sleep } from '#protocol/clock/clock'
import { randomInt, seededRng } from '#protocol/random/rng'
import { paceOf } from '../pace-of.ts'
import { contextIn } from './context-in.ts'

/** Milliseconds: the first proofs are made by then, and there are some to come. */
const FROM = 5_000
const WITHIN = 7_000

/**
 * The owner of L1's registry strikes off keys of enclaves that run, once: until the registrar comes nobody may prove.
 * @param onGone what to do at once when L1 has none of them any more
 */
export async function strikeOff(
  world: World,
  signal: AbortSignal,
  onGone: () => Promise<unknown>,
): Promise<void> {
  const { clock, recorder, facts } = world
  const rng = seededRng(`strikes ${facts.seed}`)
  try {
    await sleep(clock, (FROM + randomInt(rng, WITHIN)) * paceOf(world), signal)
    const context = contextIn(world, signal)
    for (const signer of await signersOf(context)) {
      recorder.record('owner', 'strike.sent', { signer })
      await context.wallet(owner).send({
        address: facts.contracts.teeProverRegistry,
        abi: teeProverRegistryAbi,
        functionName: 'deregisterSigner',
        args: [signer],
      })
    }
    await onGone()
  } catch (error) {
    // The weather of L1 and of the host is the owner's, too; and the registry may not have it.
    recorder.record('owner', 'strike.failed', { why: String(error) })
  }
}
