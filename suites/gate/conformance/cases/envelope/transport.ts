import { defineCases } from '../../conformance-case.ts'
import { expectEqual } from '../../matchers/expect-equal.ts'
import { anyBytes } from '../../probes/any-bytes.ts'
import { IDENTITY } from '../../probes/identity.ts'
import { resultOf } from '../../wire/json-rpc-client.ts'
import { twoPieces } from '../../wire/two-pieces.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

const identity = (data: string) =>
  JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'eth_call' },
    params: [{ to: IDENTITY, data }, 'latest'],
  })

export const cases = defineCases([
  {
    id: 'rpc.envelope.in-pieces.01',
    title: 'A call that comes in two pieces, or in two chunks, is one call',
    area: 'envelope',
    rules: ['RPC-ENV-01'],
    needs: ['rpc'],
    rationale: 'A connection has no borders: what one read gives is what has come so far.',
    async run(t) {
      const data = anyBytes(100)
      const body = identity(data)
      for (const pieces of twoPieces([1, body.length >> 1, body.length - 1], t)) {
        const reply = await t.rpc.post(body, { pieces })
        expectEqual(resultOf(reply), data, `result of a call, ${pieces.says}`)
      }
    },
  },
  {
    id: 'rpc.envelope.compressed.01',
    title: 'A long answer to a client that takes compressed ones is what its header says',
    area: 'envelope',
    rules: ['RPC-ENV-01'],
    needs: ['rpc'],
    rationale: 'Every browser and most libraries say so; short answers are seldom compressed.',
    async run({ rpc }) {
      for (const data of [anyBytes(32), anyBytes(20_000)]) {
        const headers = { ...JSON_TYPE, 'accept-encoding': 'gzip, deflate, br' }
        const reply = await rpc.post(identity(data), { headers })
        expectEqual(resultOf(reply), data, 'result')
      }
    },
  },
  {
    id: 'rpc.envelope.long.01',
    title: 'A call of 160 KB is answered',
    area: 'envelope',
    rules: ['RPC-ENV-01'],
    level: 'should',
    needs: ['rpc'],
    rationale: 'No limit is stated (OPEN-47); a call for many contracts at once is as long.',
    async run({ rpc }) {
      const data = anyBytes(80_000)
      expectEqual(resultOf(await rpc.post(identity(data))), data, 'result')
    },
  },
  {
    id: 'rpc.envelope.long.02',
    title: 'A call in a body of 2 MB is answered',
    area: 'envelope',
    rules: ['RPC-ENV-01'],
    level: 'should',
    needs: ['rpc'],
    rationale:
      'No limit is stated (OPEN-47); servers in front of a node take one megabyte unless told otherwise, and a simulation with code in its overrides has more.',
    async run({ rpc }) {
      const data = anyBytes(32)
      // Blanks are part of a body, and cost a node nothing else.
      const body = identity(data).padEnd(2_000_000)
      expectEqual(resultOf(await rpc.post(body)), data, 'result')
    },
  },
])
