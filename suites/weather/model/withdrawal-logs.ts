import { encodeAbiParameters, type Hex, numberToHex, pad, toEventSelector } from 'viem'

/** Logs of a withdrawal of 100 wei, reckoned by hand: what L1 may pay of it, and what not. */

const hash = (name: number): Hex => numberToHex(name, { size: 32 })
const line = (t: number, what: string, data: object) => `${t} r ${what} ${JSON.stringify(data)}`
const WITHDRAWAL = hash(0x77)
const PASSER = '0x4200000000000000000000000000000000000016'

const passed = {
  ...{ address: PASSER, topics: [], logIndex: '0x0' },
  data: encodeAbiParameters(
    ['uint256', 'uint256', 'bytes', 'bytes32'].map((type) => ({ type })),
    [100n, 21_000n, '0x', WITHDRAWAL],
  ),
}
const l2 = (number: number, logs: object[]) =>
  line(number, 'l2.block', {
    ...{ hash: hash(number), number, parent: hash(number - 1 || 0xff), time: 2 * number },
    ...{ baseFee: '0x7', transactions: [], receipts: logs.length > 0 ? [{ logs }] : [] },
  })
const l2Chain = [
  line(0, 'chain.known', { accounts: [], balance: '0x0', genesisTime: 0, blockTime: 2 }),
  line(0, 'l2.block', {
    ...{ hash: hash(0xff), number: 0, parent: hash(0xfe), time: 0, baseFee: '0x7' },
    ...{ transactions: [], receipts: [] },
  }),
  l2(1, [passed]),
  line(9, 'l2.head', { hash: hash(1), number: 1, asked: 8 }),
]

const portal = (event: string, id: Hex, data: Hex = '0x') => ({
  ...{ address: pad('0x9072', { size: 20 }), topics: [toEventSelector(event), id], data },
})
const proven = (id = WITHDRAWAL) => portal('WithdrawalProven(bytes32,address,address)', id)
const finalized = (id = WITHDRAWAL, success = 1) =>
  portal('WithdrawalFinalized(bytes32,bool)', id, pad(numberToHex(success)))

/** Wei that the portal has with each block; it began with 1,000. */
const l1 = (number: number, wei: number, withdrawals: object[] = []) =>
  line(10 + number, 'l1.block', {
    ...{ hash: hash(0xa0 + number), number, parent: hash(0xa0 + number - 1), time: number },
    ...{ deposits: [], batches: [], withdrawals, portal: numberToHex(wei) },
  })
const begun = [...l2Chain, l1(1, 1_000)]
const paid = (wei: number) =>
  line(20, 'withdrawal.paid', { hash: WITHDRAWAL, gained: numberToHex(wei) })

export const WITHDRAWAL_LOGS: Record<string, { good: string[][]; bad: string[][] }> = {
  'withdrawals-are-paid-once': {
    good: [
      begun,
      [...begun, l1(2, 1_000, [proven()]), l1(3, 900, [finalized()]), paid(100)],
      // What its target refused stays.
      [...begun, l1(2, 1_000, [proven()]), l1(3, 1_000, [finalized(WITHDRAWAL, 0)])],
      // Nobody was told of all of L2.
      [...begun.slice(0, 1), l1(2, 1_000, [proven()]), l1(3, 900, [finalized()])],
    ],
    bad: [
      [...begun, l1(2, 900, [finalized()])],
      [...begun, l1(2, 900, [proven(), finalized()]), l1(3, 800, [finalized()])],
      [...begun, l1(2, 1_000, [proven(hash(9)), finalized(hash(9))])],
      [...begun, l1(2, 901, [proven(), finalized()])],
      [...begun, l1(2, 999)],
      [...begun, l1(2, 900, [proven(), finalized()]), paid(99)],
    ],
  },
}
