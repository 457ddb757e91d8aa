import { createPublicClient, type Hex, http, type TransactionReceipt } from 'viem'
import type { L1Addresses } from '#devnet/l1/l1-contract-addresses'
import { startL1 } from '#devnet/l1/start-l1'
import { type L2AllocParameters, l2Alloc } from '#devnet/l2/genesis/l2-alloc'
import { l2ChainId } from '#fixtures/chain/constants'
import { roleKeys, userKeys } from '#fixtures/chain/dev-keys'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import type { Fork } from '#protocol/types/execution-config'
import { rewindPoint } from './rewind-point.ts'
import { stopForGood } from './stop-for-good.ts'

export const l1CrossDomainMessenger: Hex = `0x${'a1'.repeat(20)}`
export const l1StandardBridge: Hex = `0x${'a2'.repeat(20)}`
const l1ERC721Bridge: Hex = `0x${'a3'.repeat(20)}`
export const feeRecipient = roleKeys.sequencer.address

export type PredeployChain = Awaited<ReturnType<typeof startPredeployChain>>

/**
 * anvil with our L2 genesis state, so that the predeploys run on an EVM that is not ours.
 * @param others the L1 ends of the bridges, where they are on another anvil; and BaseTime, if there is to be one
 */
export async function startPredeployChain(
  fork: Fork,
  others: Partial<
    Pick<L1Addresses, 'l1CrossDomainMessenger' | 'l1ERC721Bridge'> &
      Pick<L2AllocParameters, 'baseTime'>
  > = {},
) {
  const l1 = await startL1({ clock: new VirtualClock(), genesisTime: 1_700_000_000, blockTime: 0 })
  const client = createPublicClient({ transport: http(l1.rpcUrl), cacheTime: 0 })
  const request = (method: string, params: unknown[]) =>
    client.request({ method, params } as never) as Promise<unknown>
  const alloc = l2Alloc({
    fork,
    chainId: l2ChainId,
    accounts: userKeys.map(({ address }) => address),
    feeRecipient,
    l1CrossDomainMessenger,
    l1StandardBridge,
    l1ERC721Bridge,
    ...others,
  })
  for (const [address, account] of Object.entries(alloc)) {
    if (account.code) await request('anvil_setCode', [address, account.code])
    for (const [slot, value] of Object.entries(account.storage ?? {})) {
      await request('anvil_setStorageAt', [address, slot, value])
    }
  }

  /** Sends as any account, without its key, in a block of its own. */
  async function sendAs(
    from: Hex,
    to: Hex,
    data: Hex = '0x',
    value = 0n,
    gas = 1_000_000n,
  ): Promise<TransactionReceipt> {
    await request('anvil_impersonateAccount', [from])
    await request('anvil_setBalance', [from, '0xde0b6b3a7640000'])
    const hash = await request('eth_sendTransaction', [
      { from, to, data, value: `0x${value.toString(16)}`, gas: `0x${gas.toString(16)}` },
    ])
    await l1.mine()
    return client.getTransactionReceipt({ hash: hash as Hex })
  }

  return {
    client,
    alloc,
    request,
    sendAs,
    rewindPoint: () => rewindPoint(client),
    stop: () => stopForGood(l1),
  }
}
