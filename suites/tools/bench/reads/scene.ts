import {
  type Address,
  encodeAbiParameters,
  getContractAddress,
  type Hex,
  keccak256,
  pad,
  toHex,
} from 'viem'
import { userKeys } from '#fixtures/chain/dev-keys'
import { loadContract } from '#fixtures/contracts/load-contract'
import { sign, tokenCreation, transferData, transfers } from '../erc20.ts'
import type { Contestant } from './contestant.ts'
import { workloadCall, workloadCreation } from './workload.ts'

const PER_BLOCK = 100
export const SLOTS = 1_000

/** What both chains hold, known from the transactions that made it. */
export interface Scene {
  token: Address
  workload: Address
  holders: readonly Address[]
  /** Where the token keeps a holder's balance. */
  balanceSlot(holder: Address): Hex
  balanceOf(index: number): bigint
  /** Blocks of 100 transfers by their distance from the first; hashes in order. */
  blocks: readonly (readonly Hex[])[]
  /** Gets one of the transfers of each block that is added later. */
  rareReceiver: Address
}

/** Nonces of the users and how to go on, so that blocks can be added later. */
export interface SceneMaker {
  scene: Scene
  nonces: number[]
}

/**
 * Makes the same chain on every contestant: a token with 1,000 holders, a contract with 1,000 slots,
 * and blocks of 100 transfers each.
 */
export async function makeScene(
  contestants: readonly Contestant[],
  holderCount = 1_000,
): Promise<SceneMaker> {
  const nonces = userKeys.map(() => 0)
  const creator = userKeys[0]!.address
  const mine = async (raws: Hex[]) => {
    for (const contestant of contestants) await contestant.mine(raws)
  }
  const bySender = (user: number, to: Address | null, data: Hex, gas?: bigint) =>
    sign(user, nonces[user]!++, to, data, gas)

  const token = getContractAddress({ from: creator, nonce: 0n })
  const workload = getContractAddress({ from: creator, nonce: 1n })
  await mine([
    bySender(0, null, tokenCreation(), 3_000_000n),
    bySender(0, null, workloadCreation(), 3_000_000n),
  ])
  for (let from = 0; from < SLOTS; from += 100) {
    await mine([bySender(0, workload, workloadCall('fill', BigInt(from), 100n), 5_000_000n)])
  }
  await mine(
    userKeys.slice(1).map(({ address }) => bySender(0, token, transferData(address, 10n ** 24n))),
  )
  const holders = Array.from({ length: holderCount }, (_, index) => holder(index))
  const blocks: Hex[][] = []
  for (let from = 0; from < holderCount; from += PER_BLOCK) {
    const raws = holders
      .slice(from, from + PER_BLOCK)
      .map((to, at) => bySender(at % 10, token, transferData(to, BigInt(from + at + 1))))
    blocks.push(raws.map((raw) => keccak256(raw)))
    await mine(raws)
  }
  const slot = loadContract('TestToken').storage.find(({ label }) => label === 'balanceOf')!.slot
  const balanceSlot = (address: Address) =>
    keccak256(
      encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [address, BigInt(slot)]),
    )
  const balanceOf = (index: number) => BigInt(index + 1)
  const rareReceiver = holder(holderCount)
  return {
    scene: { token, workload, holders, balanceSlot, balanceOf, blocks, rareReceiver },
    nonces,
  }
}

/** The next token transfers of the users: one to the rare receiver, the others among each other. */
export function nextTransfers({ scene, nonces }: SceneMaker, count: number): Hex[] {
  const rare = sign(0, nonces[0]!++, scene.token, transferData(scene.rareReceiver, 1n))
  return [rare, ...transfers(scene.token, nonces, count - 1)]
}

function holder(index: number): Address {
  return pad(toHex(0x1000_0000 + index), { size: 20 })
}
