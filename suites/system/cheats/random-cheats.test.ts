import { describe, expect, it } from 'vitest'
import type { StateEdit } from '#devnet/l2/node/open-block/state-edit'
import { predeploys } from '#fixtures/chain/constants'
import { userKeys } from '#fixtures/chain/dev-keys'
import type { Receipt } from '#protocol/types/block'
import type { Hash } from '#protocol/types/bytes'
import { type RandomSource, randomSource } from '#suites/oracles/differential/random-source'
import { transfer } from '../sequencer/transfer.ts'
import { startVirtualNode, type VirtualNode } from '../sequencer/virtual-node.ts'

const STEPS = 150
const TARGET = `0x${'42'.repeat(20)}` as const

describe.each([1, 2, 3, 4])('random cheats, seed %i', (seed) => {
  it.each(['manual', 'timed'])('given %s mining, then the chain stays in order', async (mode) => {
    const random = randomSource(seed)
    const virtual = await startVirtualNode({ manual: mode === 'manual' })
    const { node, clock } = virtual
    const violations: string[] = []
    const check = (where: string) =>
      violations.push(...broken(virtual).map((it) => `${where}: ${it}`))
    for (const event of ['flashblock', 'sealed', 'reorg', 'dropped'] as const) {
      node.chain.on(event, () => check(event))
    }
    const edited = new Set<bigint>()
    node.chain.on('sealed', ({ header }) => {
      const parent = node.chain.blockByHash(header.parentHash)!
      const before = supply(virtual, node.chain.stateRootOf(parent))
      const isKept = supply(virtual, header.stateRoot) === before
      if (!isKept && !edited.has(header.number)) violations.push('money came or went')
    })
    const snapshots: { id: number; balance: bigint }[] = []
    for (let step = 0; step < STEPS; step++) {
      await act(virtual, random, snapshots, violations, edited)
      if (mode === 'timed') await clock.advance(random.below(1_000))
      check(`step ${step}`)
      expect(violations).toEqual([])
    }
    await node.stop()
  })
})

/** One random cheat, transaction or step, and what must be true right after it. */
async function act(
  virtual: VirtualNode,
  random: RandomSource,
  snapshots: { id: number; balance: bigint }[],
  violations: string[],
  edited: Set<bigint>,
): Promise<void> {
  const { node } = virtual
  const { cheats, chain } = node
  const edit = (change: StateEdit) => {
    edited.add(chain.pending()!.header.number)
    return cheats.edit(change)
  }
  switch (random.below(13)) {
    case 0: {
      const balance = BigInt(random.below(1_000_000))
      await edit((state) => state.setBalance(TARGET, balance))
      if (pendingBalance(virtual) !== balance) violations.push('set balance not seen')
      return
    }
    case 1: {
      const before = pendingBalance(virtual)
      await edit(async (state) => state.setBalance(TARGET, (await state.getBalance(TARGET)) + 5n))
      if (pendingBalance(virtual) !== before + 5n) violations.push('added balance not seen')
      return
    }
    case 2:
      return cheats.increaseTime(BigInt(random.below(5_000))).then(() => {})
    case 3:
      return cheats
        .mine({ blocks: random.below(4), interval: BigInt(random.below(9)) })
        .then(() => {})
    case 4:
      return cheats.setConditions({ baseFeePerGas: BigInt(random.below(1_000_000_000)) })
    case 5: {
      const depth = random.below(1 + Number(chain.latest().header.number))
      return cheats.rollback(Math.min(3, depth), { repool: random.oneIn(2) }).then(() => {})
    }
    case 6:
      return cheats.reorg(Math.min(2, Number(chain.latest().header.number)), new Map())
    case 7: {
      const id = await cheats.snapshot()
      snapshots.push({ id, balance: pendingBalance(virtual) })
      return
    }
    case 8: {
      const snapshot = random.oneIn(2) ? snapshots.pop() : undefined
      if (!snapshot || !(await cheats.revert(snapshot.id))) return
      if (pendingBalance(virtual) !== snapshot.balance) violations.push('not reverted')
      return
    }
    case 9:
      return node.flashblock().then(() => {})
    case 10:
      return node.seal().then(() => {})
    default: {
      const user = random.below(userKeys.length)
      const { address } = userKeys[user]!
      const root = chain.pending()!.header.stateRoot
      const nonce = chain.nextPoolNonce(address) ?? chain.account(root, address)?.nonce ?? 0n
      await chain.submit(transfer(user, Number(nonce)))
    }
  }
}

function pendingBalance({ node: { chain } }: VirtualNode): bigint {
  return chain.account(chain.pending()!.header.stateRoot, TARGET)?.balance ?? 0n
}

/** Everything that users, fee vaults and the target own; no cheat but an edit may change it. */
function supply({ node: { chain } }: VirtualNode, stateRoot: Hash): bigint {
  const { sequencerFeeVault, baseFeeVault, l1FeeVault, operatorFeeVault } = predeploys
  const vaults = [sequencerFeeVault, baseFeeVault, l1FeeVault, operatorFeeVault]
  const owners = [...userKeys.map(({ address }) => address), ...vaults, TARGET]
  return owners.reduce((sum, owner) => sum + (chain.account(stateRoot, owner)?.balance ?? 0n), 0n)
}

/** What every reader may rely on at every moment; the rules that are broken. */
function broken({ node: { chain } }: VirtualNode): string[] {
  const [latest, pending] = [chain.latest(), chain.pending()]
  const heights = [chain.finalized(), chain.safe(), latest].map(({ header }) => header.number)
  const rules: [string, boolean][] = [
    ['finalized ≤ safe ≤ latest', heights[0]! <= heights[1]! && heights[1]! <= heights[2]!],
    ['pending stands on latest', pending?.header.parentHash === latest.hash],
    ['pending is later than latest', pending!.header.timestamp > latest.header.timestamp],
    ['no block above latest', chain.blockByNumber(latest.header.number + 1n) === undefined],
    ['gas adds up', adds(pending!.receipts, pending!.header.gasUsed)],
    ['divergence is behind', (chain.divergence()?.since ?? 0n) <= latest.header.number + 1n],
  ]
  for (
    let number = latest.header.number;
    number > 0n && number > latest.header.number - 6n;
    number--
  ) {
    const block = chain.blockByNumber(number)!
    rules.push(
      [
        'blocks are linked',
        chain.blockByHash(block.header.parentHash)?.header.number === number - 1n,
      ],
      [
        'transactions are found where they stand',
        block.transactions.every(({ hash }, index) => {
          const found = chain.findTransaction(hash)
          return found?.block === block && found.index === index
        }),
      ],
      [
        'no transaction is pooled and sealed',
        block.transactions.every(({ hash }) => !chain.pooledTransaction(hash)),
      ],
    )
  }
  return rules.filter(([, holds]) => !holds).map(([rule]) => rule)
}

function adds(receipts: readonly Receipt[], gasUsed: bigint): boolean {
  return receipts.reduce((sum, receipt) => sum + receipt.gasUsed, 0n) === gasUsed
}
