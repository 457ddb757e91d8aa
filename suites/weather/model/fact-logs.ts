import { asked, chain, hash, line, SIGNED } from './model-logs.ts'

/** Answers of the chain that `model-logs.ts` reckons: Bob pays 10 wei for each gas, of which 7 are the base fee. */

const fact = (what: string, data: object) => line(25, what, { ...data, asked: 22 })
/** A limit of 1,000,000 gas, none of it used: by Holocene's rules (250, 6) the fee of 7 wei stays. */
const gas = { gasLimit: '0xf4240', gasUsed: '0x0', blobGasUsed: '0x0' }
const withGas = asked().map((each) =>
  each.replace(
    '"baseFee"',
    `${JSON.stringify({ ...gas, extraData: `0x01000000fa00000006${'00'.repeat(8)}` }).slice(1, -1)},"baseFee"`,
  ),
)
const price = (value: string) => fact('price.seen', { price: value })
const FEES = { oldest: 1, base: ['0x7', '0x7', '0x7'], ratios: [0, 0] }
const fees = (more: object = {}) =>
  fact('fees.seen', {
    ...FEES,
    reward: [
      ['0x0', '0x0'],
      ['0x3', '0x3'],
    ],
    ...more,
  })
const status = (word: string, of = SIGNED) => fact('status.seen', { hash: of, status: word })
const PLACE = { number: 2, index: 1, hash: SIGNED, gasPrice: '0xa' }
const place = (more: object = {}) => fact('place.seen', { ...PLACE, ...more })
const sync = (latest: number, safe = 0) =>
  fact('sync.seen', { latest: hash(latest), safe: hash(safe), finalized: hash(0) })
const estimate = (value: string) => fact('estimate.seen', { gas: value })

export const FACT_LOGS: Record<string, { good: string[][]; bad: string[][] }> = {
  'facts-are-true': {
    good: [
      [...withGas, price('0xf4247'), fees()],
      asked(status('Unknown'), status('Known', hash(0x99)), estimate('0x5208')),
      asked(place(), place({ index: 7, hash: undefined, gasPrice: undefined })),
      asked(sync(2), '21 node ended {}', sync(9, 9)),
    ],
    bad: [
      [...withGas, price('0xf4240')],
      [...withGas, fees({ base: ['0x7', '0x7', '0x8'] })],
      [
        ...withGas,
        fees({
          reward: [
            ['0x0', '0x0'],
            ['0xa', '0xa'],
          ],
        }),
      ],
      asked(status('Known')),
      asked(estimate('0x5207')),
      asked(place({ index: 0 })),
      asked(place({ gasPrice: '0x14' })),
      asked(sync(1)),
      asked(sync(2, 1)),
    ],
  },
  'valid-is-taken': {
    good: [chain],
    bad: [[...chain, fact('transaction.refused', { hash: SIGNED, why: 'underpriced' })]],
  },
}
