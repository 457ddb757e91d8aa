import { bytesToBigInt } from '../bytes/bytes-to-big-int.ts'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import { RollbedError } from '../errors/rollbed-error.ts'
import type { Address, Hash } from '../types/bytes.ts'
import { BASE_TIME_CODE } from './base-time-code.ts'
import { BASE_TIME, BASE_TIME_IMPLEMENTATION, PROXY_ADMIN } from './predeploys.ts'
import type { AccountEntry, WorldState } from './world-state.ts'

/** EIP-1967: keccak256('eip1967.proxy.implementation') - 1, and the same of 'admin'. */
export const IMPLEMENTATION_SLOT: Hash =
  '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
export const ADMIN_SLOT: Hash = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103'

/**
 * Puts BaseTime behind its proxy where nothing stands there yet, without a transaction: in the first
 * block that tells milliseconds. Later blocks find it, or what governance has put in its place.
 *
 * Nobody documents whether this comes before or after the calls of EIP-4788 and EIP-2935: here it
 * comes before. They touch other accounts, so that no root depends on it.
 * Source: base/base, base_time.rs of the EVM.
 * @throws RollbedError BASE_TIME_PROXY_UNFIT: no block of such a state can be valid
 */
export async function installBaseTime(world: WorldState): Promise<void> {
  const proxy = await world.entry(BASE_TIME)
  const stored = async (slot: Hash) => bytesToBigInt(await world.slot(proxy, slot))
  if ((await stored(IMPLEMENTATION_SLOT)) !== 0n) return
  await checkProxy(world, proxy, await stored(ADMIN_SLOT))
  world.setCode(await world.entry(BASE_TIME_IMPLEMENTATION), hexToBytes(BASE_TIME_CODE))
  await world.setSlot(proxy, IMPLEMENTATION_SLOT, hexToBytes(BASE_TIME_IMPLEMENTATION))
  world.update(proxy, {})
  world.endTransaction()
}

async function checkProxy(world: WorldState, proxy: AccountEntry, admin: bigint): Promise<void> {
  const problem = !proxy.exists
    ? 'does not exist'
    : (await world.code(proxy)).length === 0
      ? 'has no code'
      : admin !== BigInt(PROXY_ADMIN)
        ? `has the admin ${toAddress(admin)}, not ${PROXY_ADMIN}`
        : undefined
  if (problem) {
    throw new RollbedError(
      'BASE_TIME_PROXY_UNFIT',
      `The chain cannot tell milliseconds: the proxy of BaseTime ${problem}.`,
      { hint: 'A chain that crosses Denim has the proxy in its genesis.' },
    )
  }
}

function toAddress(value: bigint): Address {
  return `0x${value.toString(16).padStart(40, '0')}`
}
