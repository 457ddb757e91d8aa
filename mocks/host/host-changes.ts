import { askEnclave } from '#mocks/enclave/ask-enclave'
import { type EnclaveAnswer, serveEnclave, type WireHabits } from '#mocks/enclave/serve-enclave'
import type { MutantHooks } from '#mocks/zoo/mutant'
import { startMutantProxy } from '#mocks/zoo/mutant-proxy'
import type { Clock } from '#protocol/clock/clock'
import type { HostFlags, HostProcess, LaunchHost } from './host-process.ts'

/** One change of how a host is started, or of what it then is. */
export type HostChange = (launch: LaunchHost) => LaunchHost

/** Changes the flags. */
export const withFlags =
  (change: (flags: HostFlags) => HostFlags): HostChange =>
  (launch) =>
  (flags) =>
    launch(change(flags))

/** Fills in a flag that was left out. */
export const withDefault = (flag: string, value: string) =>
  withFlags((flags) => (flags.some(([name]) => name === flag) ? flags : [...flags, [flag, value]]))

export const withoutFlag = (flag: string) =>
  withFlags((flags) => flags.filter(([name]) => name !== flag))

/** Does not start when the flags are so. */
export const refusing =
  (isRefused: (flags: HostFlags) => boolean): HostChange =>
  (launch) =>
  async (flags) => {
    if (!isRefused(flags)) return launch(flags)
    const ended = Promise.resolve(1)
    return {
      state: 'ended',
      url: undefined,
      ended,
      output: () => 'refused',
      interrupt: () => undefined,
    }
  }

/** Changes what the host answers over HTTP. */
export const answering =
  (clock: Clock, makeHooks: (host: HostProcess) => MutantHooks): HostChange =>
  (launch) =>
  async (flags) => {
    const host = await launch(flags)
    return host.url ? inFront(host, host.url, clock, makeHooks(host)) : host
  }

async function inFront(
  host: HostProcess,
  target: string,
  clock: Clock,
  hooks: MutantHooks,
): Promise<HostProcess> {
  const { url, stop } = await startMutantProxy({
    target,
    clock,
    mutant: {
      id: 'host.proxy',
      rule: 'HOST-RPC-01',
      area: 'host',
      target: 'prover',
      says: 'Answers for a host',
      apply: () => hooks,
    },
  })
  const ended = host.ended.finally(stop)
  return { ...host, url, ended }
}

/** Puts a proxy before the URL of a flag, from the start of the host to its end. */
export const behind =
  (flag: string, clock: Clock, makeHooks: () => MutantHooks): HostChange =>
  (launch) =>
  async (flags) => {
    const target = flags.find(([name]) => name === flag)?.[1]
    if (!target) return launch(flags)
    const proxy = await startMutantProxy({
      target,
      clock,
      mutant: {
        id: 'host.upstream',
        rule: 'HOST-RPC-01',
        area: 'host',
        target: 'rpc',
        says: 'Stands before an upstream',
        apply: makeHooks,
      },
    })
    const changed = flags.map(([name, value]) => [name, name === flag ? proxy.url : value] as const)
    return owning(await launch(changed), proxy.stop)
  }

/** Puts a stand-in before each enclave. */
export const beforeEnclaves =
  (make: (forward: EnclaveAnswer) => EnclaveAnswer, habits?: WireHabits): HostChange =>
  (launch) =>
  async (flags) => {
    const stops: (() => Promise<void>)[] = []
    const changed: (readonly [string, string])[] = []
    for (const [flag, value] of flags) {
      const [, cid, endpoint] = /^(\d+)=(.+)$/.exec(value) ?? []
      if (flag !== '--vsock-cid' || !endpoint) {
        changed.push([flag, value])
        continue
      }
      const served = await serveEnclave(
        make((payload) => askEnclave(endpoint, payload)),
        habits,
      )
      stops.push(served.stop)
      changed.push([flag, `${cid}=${served.endpoint}`])
    }
    return owning(await launch(changed), () => Promise.all(stops.map((stop) => stop())))
  }

function owning(host: HostProcess, stop: () => Promise<unknown>): HostProcess {
  return { ...host, ended: host.ended.finally(stop) }
}

/** The CIDs of the flags, in order. */
export const cidsOf = (flags: HostFlags) => flags.filter(([flag]) => flag === '--vsock-cid')
export const hasFlag = (flags: HostFlags, flag: string) => flags.some(([name]) => name === flag)
