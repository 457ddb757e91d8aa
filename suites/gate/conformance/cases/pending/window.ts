import { cannotJudge, notApplicable } from '../../case-failure.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import { expectDifferent, expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { expectHash, expectQuantity } from '../../matchers/expect-hex.ts'
import { expectArray, expectObject } from '../../matchers/expect-shape.ts'
import { getBlock } from '../../reads/get-block.ts'
import { listingOf, timelinessOf, VISIBLE_WITHIN } from '../../scenes/listing.ts'
import { preconfirmedWindow } from '../../scenes/preconfirmed-window.ts'
import type { Hex } from '../../wire/hex.ts'
import { resultOf } from '../../wire/json-rpc-client.ts'

/** So many of the first five listings that can be told: on a busy machine a node is late once, and so is the gate. */
const MOST_OF_FIVE = 3
/** Listings until it is said that none can be told. */
const LISTINGS = 8

async function read(t: CaseContext) {
  const window = await t.scene(preconfirmedWindow)
  const block = (name: 'pending' | 'pendingFull' | 'latest' | 'latestAgain') =>
    expectObject(resultOf(window.reads[name]), name)
  const hashes = expectArray(block('pending').transactions, 'pending.transactions') as Hex[]
  return { ...window, block, hashes }
}

export const cases = defineCases([
  {
    id: 'rpc.pending.cumulative.01',
    title: 'pending lists every transaction pre-confirmed so far',
    area: 'pending',
    rules: ['RPC-PEND-06'],
    needs: ['rpc', 'driver'],
    rationale: 'One transaction is listed first, two follow: all three must then be there.',
    async run(t) {
      const { first, complete, hashes, sent } = await read(t)
      expectThat(first !== undefined, 'the first transaction listed', 'never listed', 'pending')
      expectThat(complete, `all of ${Object.values(sent)}`, hashes, 'pending.transactions')
    },
  },
  {
    id: 'rpc.pending.gas-used.01',
    title: 'gasUsed of pending is the total over all listed transactions',
    area: 'pending',
    rules: ['RPC-PEND-05'],
    needs: ['rpc', 'driver'],
    rationale: 'The receipts, known after sealing, add up to what pending said before.',
    async run(t) {
      const { block, hashes } = await read(t)
      const receipts = await Promise.all(hashes.map((hash) => t.driver.sealed(hash)))
      const sum = receipts.reduce((total, receipt) => total + receipt.gasUsed, 0n)
      expectEqual(expectQuantity(block('pending').gasUsed, 'gasUsed'), sum, 'pending.gasUsed')
    },
  },
  {
    id: 'rpc.pending.full-transactions.01',
    title: 'With the flag, pending holds objects with the hashes of the short form',
    area: 'pending',
    rules: ['RPC-PEND-08'],
    needs: ['rpc', 'driver'],
    rationale: 'The flag means the same on pending as on sealed blocks.',
    async run(t) {
      const { block, sent, complete, hashes: short } = await read(t)
      // What a node never lists is judged by the case about that; here, what it lists in one of the forms.
      const listed = Object.values(sent).filter((hash) => complete || short.includes(hash))
      if (listed.length === 0) notApplicable('pending lists nothing of what was sent.')
      const full = expectArray(block('pendingFull').transactions, 'transactions').map((each) =>
        expectObject(each, 'transactions[]'),
      )
      const hashes = full.map((transaction) => transaction.hash)
      for (const hash of listed) {
        expectThat(hashes.includes(hash), `${hash} listed`, hashes, 'pending.transactions[].hash')
      }
    },
  },
  {
    id: 'rpc.pending.full-transactions-unsealed.01',
    title: 'A full transaction inside pending has no blockHash yet',
    area: 'pending',
    rules: ['RPC-PEND-08'],
    level: 'should',
    needs: ['rpc', 'driver'],
    rationale: 'Decided for OPEN-08: the hash of a block that is not sealed would never come true.',
    async run(t) {
      const { block } = await read(t)
      for (const each of expectArray(block('pendingFull').transactions, 'transactions')) {
        const { blockHash } = expectObject(each, 'transactions[]')
        expectEqual(blockHash, null, 'transactions[].blockHash')
      }
    },
  },
  {
    id: 'rpc.pending.blob-gas.01',
    title: 'blobGasUsed of pending grows with each pre-confirmed transaction',
    area: 'pending',
    rules: ['RPC-PEND-09'],
    needs: ['rpc', 'driver'],
    rationale: 'It is propagated from the cumulative state: since Jovian, the DA footprint so far.',
    async run(t) {
      const { first, block, sealedBlock } = await read(t)
      const one = expectQuantity(first?.blobGasUsed, 'pending.blobGasUsed with one')
      const three = expectQuantity(block('pending').blobGasUsed, 'pending.blobGasUsed with three')
      const all = expectQuantity(sealedBlock.blobGasUsed, 'blobGasUsed when sealed')
      // Before Jovian nothing is measured: zero throughout.
      const grows =
        all === 0n ? one === 0n && three === 0n : one > 0n && one < three && three <= all
      expectThat(
        grows,
        'more with each transaction, up to the sealed value',
        [one, three, all],
        'blobGasUsed',
      )
    },
  },
  {
    id: 'rpc.pending.refresh.01',
    title: 'A sent transaction is listed within about 200 ms',
    area: 'pending',
    rules: ['RPC-PEND-10'],
    level: 'should',
    needs: ['rpc', 'driver'],
    rationale: 'The reason for pre-confirmations: long before the block is sealed.',
    async run(t) {
      const { listing } = await read(t)
      const listings = [listing]
      const those = (when: ReturnType<typeof timelinessOf>) =>
        listings.filter((listing) => timelinessOf(listing) === when)
      const isOpen = () =>
        those('soon').length < MOST_OF_FIVE && those('late').length < MOST_OF_FIVE
      while (isOpen() && listings.length < LISTINGS) listings.push(await listingOf(t))
      const looks = listings.map((listing) => listing.slowestLook)
      if (isOpen())
        notApplicable(
          `No delay can be told: looks at pending took up to ${looks} ms, or the block was sealed before one saw it.`,
        )
      const delays = listings.map((listing) => listing.visibleAfter ?? 'never')
      const wanted = `at most ${VISIBLE_WITHIN} ms, most of the time`
      expectThat(those('soon').length === MOST_OF_FIVE, wanted, delays, 'delays')
    },
  },
  {
    id: 'rpc.pending.not-in-latest.01',
    title: 'latest stays as it was while transactions are pre-confirmed',
    area: 'pending',
    rules: ['RPC-PEND-11', 'RPC-SEL-10'],
    needs: ['rpc', 'driver'],
    rationale: 'A block is either pending or sealed, never both.',
    async run(t) {
      const { before, block, sent } = await read(t)
      expectEqual(block('latest').hash, before.hash, 'latest.hash')
      const sealed = expectArray(block('latest').transactions, 'latest.transactions')
      for (const hash of Object.values(sent)) {
        expectEqual(sealed.includes(hash), false, 'latest lists a pre-confirmed transaction')
      }
    },
  },
  {
    id: 'rpc.pending.sealed-after.01',
    title: 'Once sealed, the block has height and hash and holds what was pre-confirmed',
    area: 'pending',
    rules: ['RPC-PEND-12'],
    needs: ['rpc', 'driver'],
    rationale: 'A pre-confirmation is a promise; a cached pending object breaks it.',
    async run(t) {
      const { sealed, sealedBlock, complete } = await read(t)
      expectEqual(expectQuantity(sealedBlock.number, 'number'), sealed.write.blockNumber, 'number')
      expectEqual(expectHash(sealedBlock.hash, 'hash'), sealed.write.blockHash, 'hash')
      const listed = expectArray(sealedBlock.transactions, 'transactions')
      for (const { hash, blockNumber } of Object.values(sealed)) {
        const isApart = blockNumber !== sealed.write.blockNumber
        // Only those that were listed together were promised together.
        if (isApart && !complete) continue
        if (isApart) cannotJudge('They were sealed apart.')
        expectThat(listed.includes(hash), `${hash} listed`, listed, 'transactions')
      }
    },
  },
  {
    id: 'rpc.pending.order-kept.01',
    title: 'The sealed block begins with the pre-confirmed transactions in their order',
    area: 'pending',
    rules: ['RPC-PEND-12', 'RPC-PEND-06'],
    needs: ['rpc', 'driver'],
    rationale: 'Nothing is executed again at the boundary, so nothing can move.',
    async run(t) {
      const { hashes, sealedBlock, complete } = await read(t)
      // It may have been the list of another block.
      if (!complete) notApplicable('pending never listed all that was sent, so it has no order.')
      const sealed = expectArray(sealedBlock.transactions, 'transactions')
      expectEqual(sealed.slice(0, hashes.length), hashes, 'first transactions of the sealed block')
    },
  },
  {
    id: 'rpc.pending.parent.01',
    title: 'parentHash of pending is the hash of latest',
    area: 'pending',
    rules: ['RPC-PEND-13'],
    level: 'should',
    needs: ['rpc', 'driver'],
    rationale: 'The block under construction builds on the newest sealed one.',
    async run(t) {
      const { block } = await read(t)
      if (block('latest').hash !== block('latestAgain').hash) {
        cannotJudge('A block was sealed between the reads.')
      }
      expectEqual(block('pending').parentHash, block('latest').hash, 'pending.parentHash')
    },
  },
  {
    id: 'rpc.pending.refreshes-between-blocks.01',
    title: 'pending is not the newest sealed block',
    area: 'pending',
    rules: ['RPC-PEND-11'],
    needs: ['rpc'],
    rationale: 'On a capable endpoint a block under construction always exists (OPEN-04).',
    async run({ rpc }) {
      const latest = await getBlock(rpc, 'latest')
      const pending = await getBlock(rpc, 'pending')
      expectDifferent(pending.parentHash, latest.parentHash, 'pending.parentHash')
    },
  },
])
