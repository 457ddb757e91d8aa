import { defineCases } from '../../conformance-case.ts'
import { expectForm } from '../../matchers/expect-form.ts'
import { expectAddress, expectHash, expectQuantity } from '../../matchers/expect-hex.ts'
import { expectArray, expectObject } from '../../matchers/expect-shape.ts'
import { getLastBlocks, getSampleBlocks } from '../../reads/get-block.ts'
import { getLogs } from '../../reads/get-logs.ts'
import { sealedHistory } from '../../scenes/sealed-history.ts'
import { BLOCK_FIELDS, LOG_FIELDS } from '../../spec/block-fields.ts'

const fieldsOf = (...forms: string[]) =>
  Object.entries(BLOCK_FIELDS).filter(([, form]) => forms.includes(form))

export const cases = defineCases([
  {
    id: 'rpc.envelope.quantities.01',
    title: 'Every quantity of a block is canonical 0x hex',
    area: 'envelope',
    rules: ['RPC-ENV-12'],
    needs: ['rpc'],
    rationale: 'Clients parse quantities as hex strings; a number or a leading zero breaks some.',
    async run({ rpc }) {
      for (const block of await getSampleBlocks(rpc)) {
        for (const [name] of fieldsOf('quantity')) expectQuantity(block[name], `block.${name}`)
      }
    },
  },
  {
    id: 'rpc.envelope.quantities.02',
    title: 'Every quantity of a full transaction is canonical 0x hex',
    area: 'envelope',
    rules: ['RPC-ENV-12'],
    needs: ['rpc'],
    rationale: 'Transactions are read by the same parsers as blocks.',
    async run({ rpc }) {
      for (const block of await getLastBlocks(rpc, 4, true)) {
        for (const each of expectArray(block.transactions, 'transactions')) {
          const transaction = expectObject(each, 'transactions[]')
          for (const name of ['blockNumber', 'transactionIndex', 'gas', 'nonce', 'value', 'type']) {
            expectQuantity(transaction[name], `transactions[].${name}`)
          }
        }
      }
    },
  },
  {
    id: 'rpc.envelope.hashes.01',
    title: 'Every hash of a block is 0x and exactly 32 bytes',
    area: 'envelope',
    rules: ['RPC-ENV-13'],
    needs: ['rpc'],
    rationale: 'A hash printed as a number loses its leading zeros, one time in 256.',
    async run({ rpc }) {
      for (const block of await getSampleBlocks(rpc)) {
        for (const [name] of fieldsOf('hash')) expectHash(block[name], `block.${name}`)
        for (const hash of expectArray(block.transactions, 'transactions')) {
          expectHash(hash, 'transactions[]')
        }
      }
    },
  },
  {
    id: 'rpc.envelope.addresses.01',
    title: 'Every address is 0x and exactly 20 bytes',
    area: 'envelope',
    rules: ['RPC-ENV-14'],
    needs: ['rpc'],
    rationale: 'An address padded to a word is not an address to any client.',
    async run({ rpc }) {
      for (const block of await getLastBlocks(rpc, 2, true)) {
        expectAddress(block.miner, 'block.miner')
        for (const each of expectArray(block.transactions, 'transactions')) {
          const { from, to } = expectObject(each, 'transactions[]')
          expectAddress(from, 'transactions[].from')
          if (to !== null) expectAddress(to, 'transactions[].to')
        }
      }
    },
  },
  {
    id: 'rpc.envelope.log-encoding.01',
    title: 'Quantities, hashes and addresses of logs keep the wire forms',
    area: 'envelope',
    rules: ['RPC-ENV-12', 'RPC-ENV-13', 'RPC-ENV-14'],
    needs: ['rpc', 'driver'],
    rationale: 'Indexers read logs more than anything else.',
    async run(t) {
      const { first } = await t.scene(sealedHistory)
      for (const log of await getLogs(t.rpc, { blockHash: first[0]!.blockHash })) {
        for (const [name, form] of Object.entries(LOG_FIELDS)) {
          expectForm(log[name], form, `log.${name}`)
        }
      }
    },
  },
])
