import { type ConformanceCase, defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { expectForm } from '../../matchers/expect-form.ts'
import { expectKeys } from '../../matchers/expect-shape.ts'
import { getBlock, getSampleBlocks } from '../../reads/get-block.ts'
import { BLOCK_CONSTANTS } from '../../spec/block-constants.ts'
import { BLOCK_FIELDS } from '../../spec/block-fields.ts'

/** Members of which the spec fixes the form alone. */
const FORMS: readonly (readonly [field: string, rule: string])[] = [
  ['mixHash', 'RPC-BLK-16'],
  ['extraData', 'RPC-BLK-17'],
  ['withdrawalsRoot', 'RPC-BLK-26'],
  ['blobGasUsed', 'RPC-BLK-28'],
  ['excessBlobGas', 'RPC-BLK-29'],
  ['parentBeaconBlockRoot', 'RPC-BLK-30'],
  ['miner', 'RPC-BLK-14'],
]

export const cases = defineCases([
  ...BLOCK_CONSTANTS.map(
    ([field, value, rule, why]): ConformanceCase => ({
      id: `rpc.block.constant-${field.toLowerCase()}.01`,
      title: `${field} is constant in sealed and pending blocks`,
      area: 'block',
      rules: [rule],
      needs: ['rpc'],
      rationale: why,
      async run({ rpc }) {
        const blocks = [...(await getSampleBlocks(rpc)), await getBlock(rpc, 'pending')]
        for (const block of blocks) expectEqual(block[field], value, `block.${field}`)
      },
    }),
  ),
  ...FORMS.map(
    ([field, rule]): ConformanceCase => ({
      id: `rpc.block.form-${field.toLowerCase()}.01`,
      title: `${field} is present in its form in every block, zero or not`,
      area: 'block',
      rules: [rule],
      needs: ['rpc'],
      rationale: 'A serializer that skips zero values leaves some blocks without the member.',
      async run({ rpc }) {
        const blocks = [...(await getSampleBlocks(rpc)), await getBlock(rpc, 'pending')]
        for (const block of blocks) expectForm(block[field], BLOCK_FIELDS[field]!, `block.${field}`)
      },
    }),
  ),
  {
    id: 'rpc.block.members.01',
    title: 'A sealed block has all 26 documented members',
    area: 'block',
    rules: ['RPC-BLK-03'],
    needs: ['rpc'],
    rationale: 'Typed clients fail on the first member they miss.',
    async run({ rpc }) {
      for (const block of await getSampleBlocks(rpc)) {
        expectKeys(block, Object.keys(BLOCK_FIELDS), 'block')
      }
    },
  },
])
