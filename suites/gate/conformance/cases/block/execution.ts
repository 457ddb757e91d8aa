import { defineCases } from '../../conformance-case.ts'
import { expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import {
  expectAddress,
  expectBytes,
  expectHash,
  expectQuantity,
} from '../../matchers/expect-hex.ts'
import { expectArray, expectObject } from '../../matchers/expect-shape.ts'
import { addressOf, ethCall, readContext } from '../../reads/eth-call.ts'
import { getBlock } from '../../reads/get-block.ts'
import { getLogs } from '../../reads/get-logs.ts'
import { probeContracts } from '../../scenes/probe-contracts.ts'
import { sealedHistory } from '../../scenes/sealed-history.ts'
import { bloomOf } from '../../spec/bloom-of.ts'
import type { Hex } from '../../wire/hex.ts'

export const cases = defineCases([
  {
    id: 'rpc.block.logs-bloom.01',
    title: 'logsBloom is the bloom filter over all logs of the block',
    area: 'block',
    rules: ['RPC-BLK-10'],
    needs: ['rpc', 'driver'],
    rationale: 'Rebuilt from eth_getLogs of a block with known logs.',
    async run(t) {
      const { first, logs: caused } = await t.scene(sealedHistory)
      const height = first[0]!.blockNumber
      const block = await getBlock(t.rpc, height)
      const logs = await getLogs(t.rpc, { blockHash: block.hash })
      const values = logs.flatMap((log) => [
        expectAddress(log.address, 'address'),
        ...expectArray(log.topics, 'topics').map((topic) => expectHash(topic, 'topics[]')),
      ])
      const least = caused.filter((log) => log.transaction.blockNumber === height).length
      expectThat(logs.length >= least, `${least} logs or more`, logs.length, 'logs of the block')
      expectEqual(expectBytes(block.logsBloom, 'logsBloom', 256), bloomOf(values), 'logsBloom')
    },
  },
  {
    id: 'rpc.block.gas-used.01',
    title: 'gasUsed is the sum of what each transaction used',
    area: 'block',
    rules: ['RPC-BLK-20'],
    needs: ['rpc', 'driver'],
    rationale: 'Summed over the receipts the driver got for every transaction of the block.',
    async run(t) {
      const { first } = await t.scene(sealedHistory)
      const block = await getBlock(t.rpc, first[0]!.blockNumber)
      const hashes = expectArray(block.transactions, 'transactions') as Hex[]
      const receipts = await Promise.all(hashes.map((hash) => t.driver.sealed(hash)))
      const sum = receipts.reduce((total, receipt) => total + receipt.gasUsed, 0n)
      expectEqual(expectQuantity(block.gasUsed, 'gasUsed'), sum, 'gasUsed')
    },
  },
  {
    id: 'rpc.block.context-agrees.01',
    title: 'miner, gasLimit and timestamp are what a contract sees at that height',
    area: 'block',
    rules: ['RPC-BLK-14', 'RPC-BLK-19', 'RPC-BLK-21'],
    needs: ['rpc', 'driver'],
    rationale: 'The same header feeds the EVM, so COINBASE, GASLIMIT and TIMESTAMP must agree.',
    async run(t) {
      const { context } = await t.scene(probeContracts)
      const block = await getBlock(t.rpc, 'latest')
      const seen = readContext(await ethCall(t.rpc, { to: context }, String(block.number)))
      expectEqual(addressOf(seen.COINBASE), expectAddress(block.miner, 'miner'), 'COINBASE')
      expectEqual(seen.GASLIMIT, expectQuantity(block.gasLimit, 'gasLimit'), 'GASLIMIT')
      expectEqual(seen.TIMESTAMP, expectQuantity(block.timestamp, 'timestamp'), 'TIMESTAMP')
    },
  },
  {
    id: 'rpc.block.l1-origin.01',
    title: 'mixHash and parentBeaconBlockRoot are those of the L1 origin',
    area: 'block',
    rules: ['RPC-BLK-16', 'RPC-BLK-30'],
    needs: ['rpc', 'l1'],
    rationale: 'OP spec, derivation: both payload attributes come from the epoch block on L1.',
    async run({ rpc, l1 }) {
      const block = await getBlock(rpc, 'latest', true)
      const [attributes] = expectArray(block.transactions, 'transactions')
      const input = expectBytes(expectObject(attributes, 'transactions[0]').input, 'input')
      // setL1BlockValues since Ecotone: the origin's hash fills bytes 100 to 132.
      const originHash = `0x${input.slice(2 + 200, 2 + 264)}`
      const origin = expectObject(
        await l1.result('eth_getBlockByHash', [originHash, false]),
        'L1 origin',
      )
      expectEqual(block.mixHash, origin.mixHash, 'mixHash')
      const root = origin.parentBeaconBlockRoot ?? `0x${'00'.repeat(32)}`
      expectEqual(block.parentBeaconBlockRoot, root, 'parentBeaconBlockRoot')
    },
  },
])
