import type { CaseContext } from '../conformance-case.ts'
import fc, { type Arbitrary } from '../payloads/fast-check.ts'
import { type Outcome, outcomesOf } from '../payloads/outcomes-of.ts'
import type { Payload } from '../payloads/payload.ts'
import { randomCall, randomPayload } from '../payloads/random-payload.ts'
import { accountsOf, callOf, simulationOf } from '../payloads/simulation-of.ts'
import { expectCall, expectOutcomes, ranOutOfTime } from '../reads/expect-outcomes.ts'
import { callReader, READ_FROM_OVERRIDE, simulateReader } from '../reads/placed-reader.ts'
import { callResult, toBlocks } from '../reads/simulate.ts'
import type { RpcReply } from '../wire/json-rpc-client.ts'
import { type KnownQuestion, rpcQuestion } from './known-question.ts'

/** Each is asked many times over, and others are drawn by the cases. */
const [CALLS, SIMULATIONS] = [16, 12]

/** Whatever the state is, it is in the overrides: each block will do. */
const selectorAt = ({ profile }: CaseContext, index: number) =>
  (profile === 'today' ? ['latest', 'safe'] : ['latest', 'pending', 'safe'])[index % 3] ?? 'latest'

/** Draws payloads, and asks by each; what comes of it is worked out when it is asked first. */
function draw(
  t: CaseContext,
  { drawn, count }: { drawn: Arbitrary<Payload>; count: number },
  toQuestion: (payload: Payload, index: number, outcomes: Outcome[][]) => KnownQuestion,
): KnownQuestion[] {
  const payloads = fc.sample(drawn, { seed: t.draw.seed, numRuns: count })
  return payloads.map((payload, index) => {
    let question: KnownQuestion | undefined
    return {
      async ask() {
        question ??= toQuestion(payload, index, await outcomesOf(payload))
        return question.ask()
      },
    }
  })
}

async function calls(t: CaseContext): Promise<KnownQuestion[]> {
  const { rpc } = t
  const { body } = await callReader(rpc)
  if (body.result !== READ_FROM_OVERRIDE) return []
  return draw(t, { drawn: randomCall, count: CALLS }, ({ contracts, blocks }, index, outcomes) => {
    const call = callOf(blocks[0]!.calls[0]!)
    const params = [call, selectorAt(t, index), accountsOf(contracts)]
    return rpcQuestion(rpc, ['eth_call', params], (reply) => {
      if (!ranOutOfTime(reply)) expectCall(reply, outcomes[0]![0]!)
    })
  })
}

async function simulations(t: CaseContext): Promise<KnownQuestion[]> {
  const { rpc } = t
  const [block] = toBlocks(await simulateReader(rpc))
  if (callResult(block, 0).returnData !== READ_FROM_OVERRIDE) return []
  const drawn = { drawn: randomPayload, count: SIMULATIONS }
  return draw(t, drawn, (payload, index, outcomes) => {
    const params = [{ blockStateCalls: simulationOf(payload) }, selectorAt(t, index)]
    return rpcQuestion(rpc, ['eth_simulateV1', params], (reply: RpcReply) => {
      if (ranOutOfTime(reply)) return
      const blocks = toBlocks(reply)
      for (const [place, each] of outcomes.entries())
        expectOutcomes(blocks[place], each, `result[${place}]`)
    })
  })
}

/** Drawn calls and simulations, held to a second EVM. */
export const drawnQuestions = { calls, simulations }
