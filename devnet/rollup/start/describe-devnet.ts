import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import type { DevnetSettings } from '#devnet/base/options/devnet-settings'
import { l1ChainId } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import type { DevnetBase } from './start-base.ts'
import type { DevnetServices } from './start-services.ts'

/** The third step of a devnet: what callers need to know of it, but for the page that shows this. */
export function describeDevnet(
  { chainId, profile, seed }: DevnetSettings,
  { l1, contracts, faults, genesis }: DevnetBase,
  { rpc, plainRpc, builderCodes, proving, rollupRpc }: DevnetServices,
): Omit<DevnetDescription, 'dashboardUrl'> {
  return {
    rpcUrl: rpc.url,
    wsUrl: rpc.wsUrl,
    baseRpcUrl: `${rpc.url}/base`,
    apiUrl: builderCodes.url,
    proverUrl: proving.proverUrl,
    l1RpcUrl: l1.url,
    l1BeaconUrl: l1.url,
    rollupRpcUrl: rollupRpc.url,
    ...(faults.engine && { faultsUrl: rpc.directUrl }),
    ...(plainRpc && { plainRpcUrl: plainRpc.url }),
    chainId,
    l1ChainId,
    accounts: [...userKeys],
    contracts,
    enclaves: proving.enclaves,
    attestationRoot: bytesToHex(proving.attestationRoot),
    profile,
    ...(genesis.config.upgrades && { upgrades: genesis.config.upgrades }),
    seed,
  }
}
