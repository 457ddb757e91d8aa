import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import type { FaultName } from '#devnet/faults/fault-catalogue'
import type { FaultTarget } from '#devnet/faults/fault-targets'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { TestActions } from '../viem/test-actions.ts'

/** What may go wrong with a test's chain. */
export interface ChainFaults {
  /** Other blocks take the place of the newest; what stood in them is gone. */
  reorganize(depth: number): Promise<void>
  /** The newest blocks are gone, and all pre-confirmations. */
  rollback(depth: number): Promise<void>
  /** Pre-confirmed transactions never come into a block. */
  dropPreconfirmations(): Promise<void>
  /**
   * Brings about any fault of links, L1, processes, disks or clocks (devnet/docs/faults.md), until it is
   * cleared, at the latest by the end of the test. It befalls the worker's devnet, which was started with
   * `devnetOptions: { faults: true }`, and so each test of the worker meanwhile.
   * @param fault.with what the fault is told, as `{ latency: 500 }`
   * @returns what clears it
   * @throws RollbedError FAULTS_OFF; RpcRefused for a target, a fault or a parameter that is none
   */
  inject(fault: {
    target: FaultTarget
    fault: FaultName
    with?: Readonly<Record<string, unknown>>
  }): Promise<{ clear(): Promise<void> }>
}

/** The faults of a test, and what ends those that it left. */
export interface TestFaults {
  faults: ChainFaults
  /** Tries each; rejects with what the first of those said that stay. */
  clearAll(): Promise<void>
}

/** @throws RollbedError FAULTS_OFF; its methods do */
export function chainFaults(
  client: Pick<TestActions, 'reorganize' | 'rollback'>,
  { faultsUrl, rpcUrl }: Pick<DevnetDescription, 'faultsUrl' | 'rpcUrl'>,
): TestFaults {
  // No fault cuts this one off.
  const devnet = httpRpcClient(faultsUrl ?? rpcUrl)
  const injected = new Set<number>()
  const clear = async (id: number) => {
    if (!injected.has(id)) return
    await devnet.request('rollbed_faultClear', [id])
    injected.delete(id)
  }
  const faults: ChainFaults = {
    reorganize: (depth) => client.reorganize({ depth }),
    rollback: (depth) => client.rollback({ depth }),
    dropPreconfirmations: () => client.rollback({ depth: 0 }),
    async inject({ target, fault, with: parameters = {} }) {
      if (!faultsUrl) throw notForFaults()
      const answer = await devnet.request('rollbed_faultInject', [target, fault, parameters])
      const { id } = answer as { id: number }
      injected.add(id)
      return { clear: () => clear(id) }
    },
  }
  return {
    faults,
    async clearAll() {
      const cleared = await Promise.allSettled([...injected].map(clear))
      for (const each of cleared) if (each.status === 'rejected') throw each.reason
    },
  }
}

/** The node says how a command starts one; a test has options. Runners print the message alone. */
const notForFaults = () =>
  new RollbedError(
    'FAULTS_OFF',
    "This worker's devnet was not started for faults: give test.extend the devnetOptions { faults: true }, with { scope: 'worker' }; or 'rollbed up --faults none', where ROLLBED_URL names one.",
  )
