import { encodeErrorResult, parseAbi } from 'viem'
import { notApplicable } from '../case-failure.ts'
import type { CaseContext } from '../conformance-case.ts'
import { expectEqual, expectThat } from '../matchers/expect-equal.ts'
import { expectError, type RpcErrorObject } from '../matchers/expect-error.ts'
import { expectBytes } from '../matchers/expect-hex.ts'
import { expectObject } from '../matchers/expect-shape.ts'
import { anyBytes } from '../probes/any-bytes.ts'
import { addressOf, readContext, toWord } from '../reads/eth-call.ts'
import { probeContracts } from '../scenes/probe-contracts.ts'
import { inCapitals } from '../spec/in-capitals.ts'
import { precompiledOf } from '../spec/precompiled.ts'
import { type RpcReply, resultOf } from '../wire/json-rpc-client.ts'
import {
  type KnownQuestion,
  type MakeQuestions,
  rpcDialogue,
  rpcQuestion,
} from './known-question.ts'

const LENGTHS = [0, 1, 31, 32, 33, 64, 257, 1_025, 4_097]
const REASON = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['no such luck'] })
/** Panic(0x11): an overflow. */
const PANIC = `0x4e487b71${'11'.padStart(64, '0')}`
const REVERTS = [REASON, PANIC, '0x', '0xdeadbeef', anyBytes(100), anyBytes(4_097), REASON]
/** Wei; the second is more than 64 bits hold. */
const VALUES = [0n, 2n ** 65n + 42n, 1n, 10n ** 18n]

const GIVEN = anyBytes(70)

/** Heights at which the probes are there. On today's chain `pending` is a forecast, and no block. */
const selectorsOf = ({ profile }: CaseContext) =>
  profile === 'today' ? ['latest'] : ['latest', 'pending']

async function returns(t: CaseContext): Promise<KnownQuestion[]> {
  const { echo, context, counter } = await t.scene(probeContracts)
  const { rpc, driver } = t
  const selectors = selectorsOf(t)
  const echoes = LENGTHS.flatMap((length, index) =>
    selectors.map((selector) => {
      const data = anyBytes(length, toWord(index))
      // Every second one pays, too: data is read beside any other member.
      const paid = { from: driver.accounts[index % driver.accounts.length]!, value: '0x1' }
      const call = { ...(index % 2 === 0 && paid), to: echo, data }
      return rpcQuestion(rpc, ['eth_call', [call, selector]], (reply) =>
        expectEqual(resultOf(reply, 'eth_call'), data, 'result'),
      )
    }),
  )
  const seenBy = VALUES.flatMap((value, index) =>
    selectors.map((selector) => {
      const from = driver.accounts[index % driver.accounts.length]!
      const call = { from, to: context, value: `0x${value.toString(16)}`, gas: '0x186a0' }
      return rpcQuestion(rpc, ['eth_call', [call, selector]], (reply) => {
        const seen = readContext(expectBytes(resultOf(reply, 'eth_call'), 'result'))
        const { CALLER, ADDRESS, CALLVALUE } = seen
        const answered = { caller: addressOf(CALLER), callee: addressOf(ADDRESS), value: CALLVALUE }
        expectEqual(answered, { caller: from.toLowerCase(), callee: context, value }, 'what it saw')
      })
    }),
  )
  const computed = precompiledOf(GIVEN).flatMap(({ to, data, returned }) =>
    selectors.map((selector) =>
      rpcQuestion(rpc, ['eth_call', [{ to, data }, selector]], (reply) =>
        expectEqual(resultOf(reply, 'eth_call'), returned, 'result'),
      ),
    ),
  )
  const withCapitals = selectors.map((selector) => {
    const data = inCapitals(GIVEN)
    return rpcQuestion(rpc, ['eth_call', [{ to: echo, data }, selector]], (reply) => {
      // Whoever takes small letters alone says so; whoever takes others reads the same bytes.
      if ('error' in reply.body) notApplicable('It takes small letters alone.')
      expectEqual(resultOf(reply, 'eth_call'), GIVEN, 'result')
    })
  })
  const counted = selectors.map((selector) =>
    rpcDialogue(rpc, async (call) => {
      const count = ['eth_call', [{ to: counter }, selector]] as const
      await call(...count)
      const reply = await call(...count)
      // Nobody sends to it, and what a call writes is gone when it returns.
      return { reply, judge: () => expectEqual(resultOf(reply, 'eth_call'), toWord(1), 'result') }
    }),
  )
  // One kind beside the other, so that none waits for the whole of the first.
  return echoes.flatMap((each, index) =>
    [each, seenBy[index], computed[index], withCapitals[index], counted[index]].filter(
      (one) => one !== undefined,
    ),
  )
}

/** Questions by calls that revert. */
async function reverting(
  t: CaseContext,
  judge: (error: RpcErrorObject, data: string) => void,
): Promise<KnownQuestion[]> {
  const { revert } = await t.scene(probeContracts)
  const judgeError = (reply: RpcReply, data: string) => judge(expectError(reply, 'reply'), data)
  return REVERTS.flatMap((data, index) => {
    // Every second one names who asks.
    const sender = index % 2 === 1 && { from: t.driver.accounts[0]! }
    const asked = { ...sender, to: revert, data }
    const callAt = (selector: unknown) => ['eth_call', [asked, selector]] as const
    // The newest block by its number: not every node keeps the state of those before.
    const atNumber = rpcDialogue(t.rpc, async (call) => {
      const latest = resultOf(await call('eth_getBlockByNumber', ['latest', false]), 'latest')
      const reply = await call(...callAt(expectObject(latest, 'latest').number))
      return { reply, judge: () => judgeError(reply, data) }
    })
    const byTag = selectorsOf(t).map((selector) =>
      rpcQuestion(t.rpc, callAt(selector), (reply) => judgeError(reply, data)),
    )
    return [...byTag, atNumber]
  })
}

const reverts: MakeQuestions = (t) =>
  reverting(t, (error, data) => {
    const isEmpty = error.data === undefined || error.data === null || error.data === '0x'
    if (data === '0x') expectThat(isEmpty, 'absent, null or 0x', error.data, 'error.data')
    else expectEqual(error.data, data, 'error.data')
  })

const revertWords: MakeQuestions = (t) =>
  reverting(t, ({ code, message }) => {
    expectEqual(code, -32000, 'error.code')
    const begins = message.startsWith('execution reverted')
    expectThat(begins, 'execution reverted, at its beginning', message, 'error.message')
  })

/** Calls that return, and such that revert, with bytes that are known. */
export const callQuestions = { returns, reverts, revertWords }
