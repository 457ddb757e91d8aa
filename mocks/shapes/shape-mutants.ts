import { isDeepStrictEqual } from 'node:util'
import { changeAt } from '#mocks/zoo/change-at'
import {
  type JsonObject,
  type Mutant,
  type MutantContext,
  type MutantHooks,
  mutantsOf,
  type RpcCall,
} from '#mocks/zoo/mutant'
import {
  decodeRequest,
  decodeResponse,
  encodeResponse,
} from '#suites/gate/conformance/spec/enclave-payloads'
import { ANSWER_MEMBERS, type AnswerMember } from './answer-member.ts'
import { createMomentWatch, type MomentName } from './moments.ts'
import { isMistake, type Known, WRONG_VALUES, type WrongValue } from './wrong-values.ts'

/** Requests whose last answers are kept for `stale`. */
const MAX_REQUESTS = 500

/** Moments that can come about where a target is asked so. */
const MOMENTS_AT: Readonly<Record<AnswerMember['target'], readonly MomentName[]>> = {
  rpc: [
    'always',
    'every-third',
    'every-tenth',
    'after-a-while',
    'at-the-seal',
    'concurrent',
    'late',
  ],
  ws: ['always', 'every-third', 'every-tenth', 'after-a-while', 'late'],
  api: ['always', 'every-third', 'every-tenth', 'concurrent', 'late'],
  prover: ['always', 'every-third', 'concurrent', 'late'],
  enclave: ['always', 'every-third', 'every-tenth', 'late'],
}

/**
 * Every member of every answer × every wrong value × every moment at which it may show. Whether a
 * mistake came about at all is told to `noteChange`: the right value may happen to be the wrong one.
 */
export const SHAPE_MUTANTS: readonly Mutant[] = ANSWER_MEMBERS.flatMap((member) =>
  wrongValuesOf(member).flatMap((wrong) =>
    MOMENTS_AT[member.target].map((moment) => toMutant(member, wrong, moment)),
  ),
)

function wrongValuesOf({ form, target }: AnswerMember): WrongValue[] {
  const names = Object.keys(WRONG_VALUES) as WrongValue[]
  // The enclave's wire is binary: it can say nothing but octets.
  const isSayable = (wrong: WrongValue) =>
    target !== 'enclave' || !['absent', 'null', 'other-form'].includes(wrong)
  return names.filter((wrong) => isMistake(wrong, form) && isSayable(wrong))
}

function toMutant(member: AnswerMember, wrong: WrongValue, moment: MomentName): Mutant {
  const { area, target, rule, of, path } = member
  const place = [of, ...path.filter((step) => step !== '*').slice(-1)].join('-')
  const name = `shape-${place}-${wrong}-${moment}`.toLowerCase().replaceAll('_', '-')
  const says = `${wrong} in ${[of, ...path].join('.')}, ${moment}`
  const mutant = mutantsOf(area, target)(rule, name, says, (context) =>
    hooksOf(member, context, createMistake(member, wrong, moment, context)),
  )
  return { ...mutant, isGenerated: true, tellsChange: true }
}

type ChangeAnswer = (
  answer: unknown,
  key: string,
  at?: { underWay?: number; head?: unknown },
) => unknown

/** Makes the mistake in an answer when its moment has come. `key` says what was asked. */
function createMistake(
  { path, form }: AnswerMember,
  wrong: WrongValue,
  moment: MomentName,
  { clock, noteChange }: MutantContext,
): ChangeAnswer {
  const isTime = createMomentWatch(moment, clock)
  const before = new Map<string, unknown[]>()
  let lastElsewhere: unknown
  return (answer, key, at) => {
    const values: unknown[] = []
    changeAt(answer, path, (value) => {
      values.push(value)
      return value
    })
    if (values.length === 0) return answer
    const old = before.get(key)
    const elsewhere = lastElsewhere
    before.delete(key)
    before.set(key, values)
    if (before.size > MAX_REQUESTS) before.delete(before.keys().next().value!)
    lastElsewhere = values[0]
    if (!isTime(at)) return answer
    let index = 0
    const changed = changeAt(answer, path, (value) => {
      const known: Known = {
        stale: old?.[index],
        another: values.find((each) => !isDeepStrictEqual(each, value)) ?? elsewhere,
      }
      index += 1
      return WRONG_VALUES[wrong](value, form, known)
    })
    if (!isDeepStrictEqual(changed, answer)) noteChange?.()
    return changed
  }
}

/** Where the answers of a target pass. */
function hooksOf(member: AnswerMember, context: MutantContext, change: ChangeAnswer): MutantHooks {
  const { target, method } = member
  const underWay = () => context.underWay?.() ?? 1
  switch (target) {
    case 'ws':
      return { message: (message) => ({ message: changeLog(message, change), delay: 0 }) }
    case 'api':
      return {
        async http(request, forward) {
          const reply = await forward(request)
          if (reply.status >= 300 || !reply.body.includes('builderCode')) return reply
          const body = change(JSON.parse(reply.body), request.body, { underWay: underWay() })
          return { ...reply, body: JSON.stringify(body) }
        },
      }
    case 'enclave':
      return {
        enclave: {
          answer: (forward) => async (payload) => {
            const real = await forward(payload)
            if (!real || decodeRequest(payload).kind !== method) return real
            const response = decodeResponse(real)
            const octetsOf = (bytes: Uint8Array) =>
              Uint8Array.from(change([...bytes], method) as number[])
            if (response.kind === 'SignerPublicKey')
              return encodeResponse({ ...response, publicKey: octetsOf(response.publicKey) })
            if (response.kind === 'SignerAttestation')
              return encodeResponse({ ...response, document: octetsOf(response.document) })
            return real
          },
        },
      }
    default:
      return {
        async response(response, call) {
          if (!isMeant(member, call)) return response
          const part = member.isOfError ? 'error' : 'result'
          if ((response[part] ?? null) === null) return response
          if (member.isOfError && !isRevert(response)) return response
          const head = target === 'rpc' ? await context.ask('eth_blockNumber') : undefined
          const at = { underWay: underWay(), head }
          return { ...response, [part]: change(response[part], JSON.stringify(call.params), at) }
        },
      }
  }
}

function isMeant({ method, isMeant: isOf }: AnswerMember, call: RpcCall): boolean {
  return call.method === method && (isOf?.(call) ?? true)
}

function isRevert({ error }: JsonObject): boolean {
  return String((error as JsonObject).message).startsWith('execution reverted')
}

/** A pushed log, changed. */
function changeLog(message: JsonObject, change: ChangeAnswer): JsonObject {
  const params = message.params as { subscription?: unknown; result?: JsonObject } | undefined
  if (message.method !== 'eth_subscription' || !params?.result) return message
  const result = change(params.result, String(params.subscription))
  return { ...message, params: { ...params, result } }
}
