import { askEnclave } from '#mocks/enclave/ask-enclave'
import { answering, cidsOf, hasFlag } from '#mocks/host/host-changes'
import type { HostFlags } from '#mocks/host/host-process'
import { decodeResponse } from '#suites/gate/conformance/spec/enclave-payloads'
import { hostMutant } from '../host-mutant.ts'
import {
  type Forward,
  type HttpExchange,
  type Mutant,
  type MutantHooks,
  mutantsOf,
} from '../mutant.ts'
import { refused } from '../parts/refused.ts'
import { without } from '../rewrites.ts'
import { served } from './served.ts'

const prover = mutantsOf('prover', 'prover')

/** What the method healthz says is the same at any time. */
const alwaysWell = (): MutantHooks => ({
  response: (response, { method }) =>
    method === 'healthz' ? { ...without(response, 'error'), result: 'well' } : response,
})

/** Who asked often enough is told that all is well. */
const patient = (): MutantHooks => {
  let looks = 0
  return {
    async http(request, forward) {
      const answer = await forward(request)
      looks += Number(request.method === 'GET' && answer.status !== 200)
      return request.method === 'GET' && looks > 5 ? { ...answer, status: 200 } : answer
    },
  }
}

/** Not healthy while it proves. */
const illWhileProving = () => {
  let proving = 0
  return {
    async http(request: HttpExchange, forward: Forward) {
      if (request.method === 'GET' && proving > 0) return refused(503)
      const isProof = request.body.includes('prover_prove')
      proving += Number(isProof)
      try {
        return await forward(request)
      } finally {
        proving -= Number(isProof)
      }
    },
  }
}

const healthOf = async (forward: Forward, request: HttpExchange, isIll: () => Promise<boolean>) => {
  const answer = await forward(request)
  if (request.method !== 'GET' || answer.status !== 200) return answer
  return (await isIll()) ? { ...answer, status: 500, body: '{"error":"unhealthy"}' } : answer
}

/** Where the enclaves of a host are. */
const endpointsOf = (flags: HostFlags) =>
  cidsOf(flags).map(([, value]) => value.replace(/^\d+=/, ''))

/** A load balancer finds each fifth look ill. */
const illNowAndThen = (): MutantHooks => {
  let looks = 0
  return {
    async http(request, forward) {
      looks += Number(request.method === 'GET')
      return request.method === 'GET' && looks % 5 === 0 ? refused(503) : forward(request)
    },
  }
}

/** Mutants that say they are well while they are not, or ill while they are well. */
export const HOST_HEALTH_MUTANTS: readonly Mutant[] = [
  served('HOST-HEALTH-01', 'healthy-by-patience', 'Is healthy at the sixth look', patient),
  served('HOST-HEALTH-06', 'method-always-well', 'healthz by JSON-RPC is always well', alwaysWell),
  served(
    'HOST-HEALTH-05',
    'ill-while-proving',
    'Is not healthy while a proof is under way',
    illWhileProving,
  ),
  hostMutant(
    'HOST-HEALTH-03',
    'latch-needs-enclaves',
    'Is ill while no enclave answers, though it was healthy',
    ({ clock }) =>
      (launch) =>
      (flags) => {
        const ends = endpointsOf(flags)
        const isIll = async () => (await Promise.all(ends.map(isDown))).every(Boolean)
        return hasFlag(flags, '--tee-prover-registry-address')
          ? answering(clock, () => ({
              http: (request, forward) => healthOf(forward, request, isIll),
            }))(launch)(flags)
          : launch(flags)
      },
  ),
  hostMutant(
    'HOST-HEALTH-02',
    'first-enclave-down',
    'Is never healthy while the first enclave is down',
    ({ clock }) =>
      (launch) =>
      (flags) => {
        const [first = ''] = endpointsOf(flags)
        let isLatched = !hasFlag(flags, '--tee-prover-registry-address')
        const isIll = async () => {
          if (!isLatched) isLatched = !(await isDown(first))
          return !isLatched
        }
        return answering(clock, () => ({
          http: (request, forward) => healthOf(forward, request, isIll),
        }))(launch)(flags)
      },
  ),
  prover('HOST-HEALTH-06', 'ill-each-fifth', 'Each fifth GET /healthz is 503', illNowAndThen),
  prover(
    'HOST-HEALTH-03',
    'health-turns-false',
    'Says false where it is asked for the fifth time',
    () => {
      let met = 0
      return {
        response(response, { method }) {
          if (method !== 'healthz' || !('result' in response)) return response
          met += 1
          return met % 5 === 0 ? { ...response, result: false } : response
        },
      }
    },
  ),
  prover('HOST-HEALTH-03', 'health-comes-and-goes', 'Not healthy now and then', () => {
    let met = 0
    return {
      response(response, call) {
        if (call.method !== 'healthz') return response
        met += 1
        if (met % 5 !== 0) return response
        const { result: _, ...rest } = response
        return { ...rest, error: { code: -32000, message: 'not healthy' } }
      },
    }
  }),
]

/** Whether an enclave tells no key. */
async function isDown(endpoint: string): Promise<boolean> {
  const answer = await askEnclave(endpoint, Uint8Array.of(1)).catch(() => undefined)
  return answer === undefined || decodeResponse(answer).kind === 'Error'
}
