const ZERO = `0x${'00'.repeat(20)}`

/** The five read methods, each with parameters that make it answer. */
export const READ_METHODS: readonly (readonly [method: string, params: readonly unknown[]])[] = [
  ['eth_getBlockByNumber', ['latest', false]],
  ['eth_getLogs', [{ fromBlock: 'latest', toBlock: 'latest' }]],
  ['eth_call', [{ to: ZERO }, 'latest']],
  ['eth_simulateV1', [{ blockStateCalls: [{}] }, 'latest']],
  ['eth_getStorageAt', [ZERO, '0x0', 'latest']],
]
