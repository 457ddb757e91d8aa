import { readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { httpRpcClient } from '#devnet/base/json-rpc/http-rpc-client'
import { devnetSystemConfig } from '#devnet/rollup/genesis/devnet-system-config'
import { l1ChainId } from '#fixtures/chain/constants'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { deployBridgeContracts } from './deploy-bridge-contracts.ts'
import { type L1, startL1 } from './start-l1.ts'

let l1: L1
afterEach(() => l1.stop())

/** Resident memory of a process, in KiB. */
function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
}

test.runIf(process.platform === 'linux')(
  'given a thousand L1 blocks, then anvil grows by less than half of what their states take',
  async () => {
    const clock = new VirtualClock()
    l1 = await startL1({ clock, genesisTime: clock.now() / 1000, blockTime: 0 })
    const rpc = httpRpcClient(l1.rpcUrl)
    const mine = () => l1.mine()
    await deployBridgeContracts({
      rpcUrl: l1.rpcUrl,
      chainId: l1ChainId,
      systemConfig: devnetSystemConfig,
      mine,
    })
    await rpc.request('anvil_mine', ['0xc8'])
    const early = memoryOf(l1.pid)
    await rpc.request('anvil_mine', ['0x3e8'])
    // A state takes some 200 KiB by then. All of them were kept, until there were a thousand.
    expect((memoryOf(l1.pid) - early) / 1000).toBeLessThan(60)
  },
)
