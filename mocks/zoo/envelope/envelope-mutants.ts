import { l2ChainId } from '#fixtures/chain/constants'
import { type JsonObject, type Mutant, mutantsOf } from '../mutant.ts'
import {
  answerInstead,
  answersAs,
  rewriteBlock,
  rewriteResponse,
  rewriteResult,
  without,
} from '../rewrites.ts'

const mutant = mutantsOf('envelope', 'rpc')

/** Mutants of the JSON-RPC envelope. */
export const ENVELOPE_MUTANTS: readonly Mutant[] = [
  mutant('RPC-ENV-01', 'sub-path', 'Serves a sub-path only', () => ({
    http: async (request, forward) =>
      request.path === '' ? { status: 404, headers: {}, body: 'Not Found' } : forward(request),
  })),
  mutant(
    'RPC-ENV-02',
    'method-missing',
    'eth_getStorageAt is not registered',
    answerInstead('eth_getStorageAt', () => ({
      error: { code: -32601, message: 'Method not found' },
    })),
  ),
  mutant('RPC-ENV-03', 'charset-demanded', 'Demands a charset in the content type', () => ({
    http: async (request, forward) =>
      request.headers['content-type']?.includes('charset')
        ? forward(request)
        : { status: 415, headers: {}, body: 'Unsupported Media Type' },
  })),
  mutant('RPC-ENV-04', 'version-ignored', 'Never looks at jsonrpc', () => ({
    http: async (request, forward) => {
      if (!request.body.startsWith('{') || !request.body.endsWith('}')) return forward(request)
      const body = JSON.stringify({ ...JSON.parse(request.body), jsonrpc: '2.0' })
      return forward({ ...request, body })
    },
  })),
  mutant(
    'RPC-ENV-05',
    'unknown-method-null',
    'Answers null to unknown methods',
    answerInstead('eth_noSuchMethod', () => ({ result: null })),
  ),
  mutant('RPC-ENV-06', 'positions-swapped', 'Reads the two params in reverse order', () => ({
    call: (call) =>
      call.method === 'eth_getBlockByNumber'
        ? { ...call, params: [...call.params].reverse() }
        : call,
  })),
  mutant('RPC-ENV-07', 'zero-id', 'Takes id 0 for a notification', () => ({
    http: async (request, forward) =>
      /"id":0[,}]/.test(request.body) ? { status: 200, headers: {}, body: '' } : forward(request),
  })),
  mutant(
    'RPC-ENV-08',
    'no-version-on-errors',
    'Leaves jsonrpc out of errors',
    rewriteResponse((response) => ('error' in response ? without(response, 'jsonrpc') : response)),
  ),
  mutant('RPC-ENV-08', 'no-version-in-batches', 'Leaves jsonrpc out of batches', () => ({
    async http(request, forward) {
      const answer = await forward(request)
      if (!request.body.startsWith('[') || !answer.body.startsWith('[')) return answer
      const bare = (JSON.parse(answer.body) as JsonObject[]).map((each) => without(each, 'jsonrpc'))
      return { ...answer, body: JSON.stringify(bare) }
    },
  })),
  mutant('RPC-ENV-08', 'says-html', 'Calls its answers HTML', answersAs('text/html')),
  mutant(
    'RPC-ENV-09',
    'id-as-string',
    'Turns ids into strings',
    rewriteResponse((response) => ({ ...response, id: String(response.id) })),
  ),
  mutant(
    'RPC-ENV-10',
    'null-dropped',
    'Drops a result that is null',
    rewriteResponse((response) =>
      response.result === null ? without(response, 'result') : response,
    ),
  ),
  mutant(
    'RPC-ENV-11',
    'result-beside-error',
    'Puts result null beside an error',
    rewriteResponse((response) => ('error' in response ? { ...response, result: null } : response)),
  ),
  mutant(
    'RPC-ENV-12',
    'number-quantity',
    'Emits gasUsed as a JSON number',
    rewriteBlock((block) => ({ ...block, gasUsed: Number(block.gasUsed) })),
  ),
  mutant(
    'RPC-ENV-13',
    'short-hash',
    'Prints hashes as integers, losing leading zeros',
    rewriteBlock((block) => ({ ...block, parentHash: shorten(block.parentHash) })),
  ),
  mutant(
    'RPC-ENV-14',
    'padded-address',
    'Pads addresses to 32 bytes',
    rewriteBlock((block) => ({
      ...block,
      miner: `0x${String(block.miner).slice(2).padStart(64, '0')}`,
    })),
  ),
  mutant(
    'RPC-ENV-15',
    'no-simulate',
    'Does not offer eth_simulateV1',
    answerInstead('eth_simulateV1', () => ({
      error: { code: -32601, message: 'Method not found' },
    })),
  ),
  {
    ...mutant(
      'RPC-ENV-16',
      'no-simulate-on-testnet',
      'Offers eth_simulateV1 on the main network only',
      answerInstead('eth_simulateV1', () => ({
        error: { code: -32601, message: 'Method not found' },
      })),
    ),
    target: 'rpcTestnet',
  },
  {
    ...mutant(
      'RPC-ENV-16',
      'testnet-names-main',
      'The test network names the chain id of the main one',
      rewriteResult('eth_chainId', () => `0x${l2ChainId.toString(16)}`),
    ),
    target: 'rpcTestnet',
  },
  {
    ...mutant(
      'RPC-ENV-16',
      'simulates-on-main',
      'The test network passes simulations on to the main one',
      rewriteResult('eth_simulateV1', (result) =>
        (result as { calls: JsonObject[] }[]).map((block) => ({
          ...block,
          calls: block.calls.map((call) => ({ ...call, returnData: word(l2ChainId) })),
        })),
      ),
    ),
    target: 'rpcTestnet',
  },
  {
    ...mutant(
      'RPC-ENV-17',
      'simulates-everywhere',
      'Offers eth_simulateV1 without pre-confirmations',
      answerInstead('eth_simulateV1', () => ({ result: [{ calls: [] }] })),
    ),
    target: 'rpcPlain',
  },
]

function word(value: number): string {
  return `0x${value.toString(16).padStart(64, '0')}`
}

function shorten(hash: unknown): string {
  return `0x${BigInt(String(hash)).toString(16)}`
}
