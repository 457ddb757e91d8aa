import { cannotJudge, notApplicable } from '../../case-failure.ts'
import { type CaseContext, type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { expectQuantity } from '../../matchers/expect-hex.ts'
import type { JsonObject } from '../../matchers/expect-shape.ts'
import { anyBytes } from '../../probes/any-bytes.ts'
import { encodeLogEntries } from '../../probes/contracts.ts'
import { toWord } from '../../reads/eth-call.ts'
import { getTip } from '../../reads/get-block.ts'
import { getLogs } from '../../reads/get-logs.ts'
import { probeContracts } from '../../scenes/probe-contracts.ts'

const TAGS = ['safe', 'finalized', 'earliest'] as const
type Tag = (typeof TAGS)[number]
/** A tag may go on while it is looked at. */
const LOOKS = 5
/** Of a query; the spec asks for less than 2,000. */
const MOST_BLOCKS = 1_900n
/** More than a byte counts. */
const MANY = 300

const MARK = toWord(0x7a65)
const hex = (value: bigint) => `0x${value.toString(16)}`

async function heightOf({ rpc }: CaseContext, tag: Tag): Promise<bigint> {
  const block = await rpc.result('eth_getBlockByNumber', [tag, false])
  if (block === null) notApplicable(`There is no block at ${tag}.`)
  return expectQuantity((block as JsonObject).number, `number of ${tag}`)
}

const placesOf = (logs: readonly JsonObject[]) =>
  logs.map(({ blockHash, logIndex }) => [blockHash, logIndex])

/** The same range by a tag and by the number that the tag has before and after; of our own logs: nodes bound how many. */
async function expectSame(
  t: CaseContext,
  tag: Tag,
  rangeOf: (height: bigint, name: string, tip: bigint) => { fromBlock: string; toBlock: string },
): Promise<void> {
  const { logOther: address } = await t.scene(probeContracts)
  // A log behind the tag and before the newest block: none of both finds it alone.
  const data = encodeLogEntries([{ topics: [MARK], data: '0x' }])
  await t.driver.sealed(await t.driver.send({ account: 6, to: address, data }))
  await t.driver.blockStart()
  for (let look = 0; look < LOOKS; look++) {
    const height = await heightOf(t, tag)
    const tip = await getTip(t.rpc)
    if (tip - height > MOST_BLOCKS) notApplicable(`${tag} is too far back for one query.`)
    const found = await getLogs(t.rpc, { address, ...rangeOf(height, tag, tip) })
    const wanted = await getLogs(t.rpc, { address, ...rangeOf(height, hex(height), tip) })
    if ((await heightOf(t, tag)) !== height) continue
    expectEqual(placesOf(found), placesOf(wanted), `logs of a range with ${tag}`)
    return
  }
  notApplicable(`${tag} was another block at each look.`)
}

export const cases = defineCases([
  ...TAGS.flatMap((tag, index): ConformanceCase[] => [
    {
      id: `rpc.getlogs.from-tag.0${index + 1}`,
      title: `A range from ${tag} is one from the block that ${tag} is`,
      area: 'logs',
      rules: ['RPC-FLT-02', 'RPC-SEL-07'],
      needs: ['rpc', 'driver'],
      rationale: 'Logs were sealed after it; who takes the tag for another finds fewer.',
      async run(t) {
        await expectSame(t, tag, (_, name, tip) => ({ fromBlock: name, toBlock: hex(tip) }))
      },
    },
    {
      id: `rpc.getlogs.to-tag.0${index + 1}`,
      title: `A range to ${tag} is one to the block that ${tag} is`,
      area: 'logs',
      rules: ['RPC-FLT-05', 'RPC-SEL-07'],
      needs: ['rpc', 'driver'],
      rationale: 'Logs were sealed after it; who takes the tag for another finds more.',
      async run(t) {
        await expectSame(t, tag, (height, name) => ({
          fromBlock: hex(height > 3n ? height - 3n : 0n),
          toBlock: name,
        }))
      },
    },
  ]),
  {
    id: 'rpc.log.many.01',
    title: 'Three hundred logs of one transaction are all there, each in its place',
    area: 'logs',
    rules: ['RPC-GETLOGS-01', 'RPC-LOG-05', 'RPC-LOG-11'],
    needs: ['rpc', 'driver'],
    rationale: 'Lists that are cut and places that begin anew show in large blocks alone.',
    async run(t) {
      const { driver, rpc } = t
      if (driver.lacksMoney) notApplicable('So much gas is more than its sender has.')
      const { logOther: address } = await t.scene(probeContracts)
      const mark = BigInt(anyBytes(8))
      const all = Array.from({ length: MANY }, (_, index) => toWord(mark + BigInt(index)))
      const data = encodeLogEntries(all.map((each) => ({ topics: [], data: each })))
      const sent = await driver.send({ account: 5, to: address, data, gas: 2_000_000n })
      const { blockHash, succeeded } = await driver.sealed(sent)
      if (!succeeded) cannotJudge('The transaction with many logs failed.')
      const found = await getLogs(rpc, { blockHash, address })
      const own = found.filter(({ transactionHash }) => transactionHash === sent)
      expectEqual(
        own.map((log) => log.data),
        all,
        'data of the logs',
      )
      const first = expectQuantity(own[0]?.logIndex, 'logIndex')
      const places = own.map((_, index) => hex(first + BigInt(index)))
      expectEqual(
        own.map(({ logIndex }) => logIndex),
        places,
        'logIndex',
      )
    },
  },
])
