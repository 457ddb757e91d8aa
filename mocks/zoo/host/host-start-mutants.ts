import {
  answering,
  cidsOf,
  type HostChange,
  hasFlag,
  refusing,
  withDefault,
  withFlags,
  withoutFlag,
} from '#mocks/host/host-changes'
import type { HostProcess } from '#mocks/host/host-process'
import { hostMutant } from '../host-mutant.ts'
import type { Mutant, MutantContext, MutantHooks } from '../mutant.ts'
import { startMutantProxy } from '../mutant-proxy.ts'
import { answerInstead } from '../rewrites.ts'

const REGISTRY = '--tee-prover-registry-address'
const NOBODY = '16=unix:/nonexistent/rollbed/vsock:8000'

const mutant = (rule: string, name: string, says: string, change: HostChange) =>
  hostMutant(rule, name, says, () => change)

/** Changes what the host answers. */
const served = (
  rule: string,
  name: string,
  says: string,
  hooks: (host: HostProcess, context: MutantContext) => MutantHooks,
) =>
  hostMutant(rule, name, says, (context) =>
    answering(context.clock, (host) => hooks(host, context)),
  )

const METHOD_NOT_FOUND = { error: { code: -32601, message: 'Method not found' } }

/** Once it is interrupted, gives so many more answers and drops what is in flight then. */
const dropsAfter =
  (answers: number) =>
  (context: MutantContext): HostChange =>
  (launch) =>
  async (flags) => {
    const dropped = Promise.withResolvers<never>()
    dropped.promise.catch(() => undefined)
    let left = Infinity
    const dropWhenDone = () => {
      if (left <= 0) dropped.reject(new RangeError('interrupted'))
    }
    const hooks = answering(context.clock, () => ({
      async http(request, forward) {
        const answer = await Promise.race([forward(request), dropped.promise])
        left -= 1
        dropWhenDone()
        return answer
      },
    }))
    const host = await hooks(launch)(flags)
    const interrupt = () => {
      left = answers
      dropWhenDone()
      host.interrupt()
    }
    return { ...host, interrupt }
  }

/** Milliseconds after the interrupt. */
const SERVES_ON = 15_000

/** Mutants of how a prover host starts, serves and ends. */
export const HOST_START_MUTANTS: readonly Mutant[] = [
  mutant(
    'HOST-CFG-01',
    'l1-defaulted',
    'Has a default for L1',
    withDefault('--l1-rpc-url', 'http://127.0.0.1:8545'),
  ),
  mutant(
    'HOST-CFG-02',
    'beacon-optional',
    'Starts without a beacon API',
    withDefault('--l1-beacon-url', 'http://127.0.0.1:5052'),
  ),
  mutant(
    'HOST-CFG-03',
    'l2-defaulted',
    'Has a default for L2',
    withDefault('--l2-rpc-url', 'http://127.0.0.1:9545'),
  ),
  mutant(
    'HOST-CFG-04',
    'chain-defaulted',
    'Has a default chain',
    withDefault('--l2-chain-id', '8453'),
  ),
  mutant(
    'HOST-CFG-08',
    'fixed-port',
    'Has a default address',
    withDefault('--listen', '127.0.0.1:0'),
  ),
  mutant(
    'HOST-CFG-09',
    'no-enclave',
    'Starts without any enclave',
    withDefault('--vsock-cid', NOBODY),
  ),
  mutant(
    'HOST-CFG-07',
    'any-chain',
    'Starts for a chain it does not know',
    withFlags((flags) =>
      flags.map(([flag, value]) => [flag, value === '999999999' ? '8453' : value] as const),
    ),
  ),
  mutant(
    'HOST-CFG-10',
    'last-cid-wins',
    'Takes the last CID only',
    withFlags((flags) => {
      const last = cidsOf(flags).at(-1)
      return flags.filter((each) => each[0] !== '--vsock-cid' || each === last)
    }),
  ),
  mutant('HOST-CFG-12', 'log-level-fixed', 'Has one log level', withoutFlag('--log-level')),
  mutant('HOST-CFG-13', 'no-metrics', 'Serves no metrics', withoutFlag('--metrics-listen')),
  mutant(
    'HOST-CFG-14',
    'registry-demanded',
    'Demands a registry always',
    refusing((flags) => !hasFlag(flags, REGISTRY)),
  ),
  mutant(
    'HOST-CFG-15',
    'first-cid-used',
    'Starts with several CIDs and no registry',
    withFlags((flags) => {
      const [first, ...others] = cidsOf(flags)
      return hasFlag(flags, REGISTRY) || !first
        ? flags
        : flags.filter((each) => !others.includes(each))
    }),
  ),
  mutant(
    'HOST-START-01',
    'config-file-demanded',
    'Demands a config file for a known chain',
    refusing((flags) =>
      flags.some(([flag, value]) => flag === '--l2-chain-id' && value === '8453'),
    ),
  ),
  mutant(
    'HOST-START-03',
    'one-transport',
    'Uses one transport for all CIDs',
    withFlags((flags) => {
      const endpoint = cidsOf(flags)[0]?.[1].replace(/^\d+=/, '')
      return flags.map(([flag, value]) =>
        flag === '--vsock-cid' ? [flag, value.replace(/=.*/, `=${endpoint}`)] : [flag, value],
      )
    }),
  ),
  served('HOST-START-04', 'no-enclave-module', 'Leaves the enclave module out', (_, context) =>
    answerInstead('enclave_signerPublicKey', () => METHOD_NOT_FOUND)(context),
  ),
  served('HOST-START-05', 'no-health-route', 'Has no GET /healthz', () => ({
    http: async (request, forward) =>
      request.method === 'GET' ? { status: 404, headers: {}, body: '' } : forward(request),
  })),
  served('HOST-START-06', 'one-request', 'Ends after the first request', (host) => ({
    async http(request, forward) {
      const answer = await forward(request)
      if (request.method === 'POST') host.interrupt()
      await (request.method === 'POST' && host.ended)
      return answer
    },
  })),
  mutant(
    'HOST-START-07',
    'serves-on',
    'Serves on after the interrupt',
    (launch) => async (flags) => {
      const host = await launch(flags)
      let interrupt: (code: number) => void = () => undefined
      const ended = new Promise<number | null>((resolve) => {
        interrupt = resolve
        host.ended.then(resolve)
      })
      return { ...host, ended, interrupt: () => interrupt(0) }
    },
  ),
  hostMutant('HOST-START-08', 'ends-at-once', 'Drops what is in flight', dropsAfter(0)),
  hostMutant(
    'HOST-START-08',
    'ends-with-the-first',
    'Finishes one of the proofs in flight, and drops the others',
    dropsAfter(1),
  ),
  mutant(
    'ROUTE-01',
    'one-enclave-per-host',
    'Serves one enclave only',
    refusing((flags) => cidsOf(flags).length > 1),
  ),
  mutant(
    'ROUTE-02',
    'equal-images-demanded',
    'Demands enclaves of one image',
    refusing((flags) => new Set(cidsOf(flags).map(([, value]) => value)).size > 1),
  ),
  mutant(
    'ROT-01',
    'no-second-image',
    'Cannot hold the old and the new image at once',
    withFlags((flags) =>
      flags.filter((each) => each[0] !== '--vsock-cid' || each === cidsOf(flags)[0]),
    ),
  ),
  hostMutant(
    'HOST-START-07',
    'kept-connections-served',
    'Takes no connection after the interrupt, and serves those that it has on',
    ({ clock }) =>
      (launch) =>
      async (flags) => {
        const host = await launch(flags)
        if (!host.url) return host
        const proxy = await startMutantProxy({ target: host.url, clock })
        const interrupt = () => {
          proxy.stopListening()
          clock.after(SERVES_ON, () => host.interrupt())
        }
        return { ...host, url: proxy.url, interrupt, ended: host.ended.finally(proxy.stop) }
      },
  ),
]
