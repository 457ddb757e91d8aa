import { expectTaken, proposalsOf, SEEN_WITHIN, type SentProposal } from './sent-calls.ts'
import type { WatchedCaller } from './watched-caller.ts'

export async function expectProposed(caller: WatchedCaller): Promise<SentProposal> {
  const proposal = await caller.until('a call of createWithInitData', () => {
    return proposalsOf(caller)[0]
  })
  await expectTaken(caller, proposal.transaction, 'createWithInitData')
  return proposal
}

export function untilOnL1(caller: WatchedCaller): Promise<true> {
  const { disputeGameFactory } = caller.world.description.contracts
  return caller.until('the game on L1', async () =>
    (await caller.read(disputeGameFactory, 'gameCount')) === 1n ? true : undefined,
  )
}

/** Starts it, and leaves it the time to ask for a proof. */
export async function letItLookAtL1(caller: WatchedCaller): Promise<void> {
  caller.start()
  await caller.until('a call to L1', () => caller.begun.includes('eth_call') || undefined)
  await caller.untilOver(SEEN_WITHIN)
}
