import type { Profile } from '#devnet/base/options/devnet-description'

/** Said where only the profile refuses something. */
export const ANSWERED_AT_BASE = 'deployed nodes answer this: ask at /base'

/**
 * Where deployed Base nodes (before the Denim upgrade) answer otherwise than the spec. `spec` is the
 * document to the letter, `base` the deployed behaviour; each row is read in one place.
 */
export const PROFILE_DIFFERENCES = {
  pendingIdentity: {
    about: 'number and hash of the pending block; blockNumber of a transaction in it',
    rules: ['RPC-PEND-02', 'RPC-PEND-03'],
    spec: 'null',
    base: 'real number, zero hash',
  },
  pendingSize: {
    about: 'size of the pending block',
    rules: ['RPC-PEND-01', 'RPC-PEND-04'],
    spec: 'present',
    base: 'absent',
  },
  pendingStorage: {
    about: 'what eth_getStorageAt reads at pending',
    rules: ['RPC-STOR-08'],
    spec: 'pre-confirmed state',
    base: 'latest',
  },
  omittedBlock: {
    about: 'eth_call, eth_getStorageAt and eth_simulateV1 without a block parameter',
    rules: ['RPC-CALL-02', 'RPC-STOR-04', 'RPC-SIM-02'],
    spec: 'refused',
    base: 'latest',
  },
  logsBlockHashWithRange: {
    about: 'fromBlock or toBlock beside blockHash in a log filter',
    rules: ['RPC-FLT-17'],
    spec: 'ignored',
    base: 'refused',
  },
  logsFromPending: {
    about: 'fromBlock pending without toBlock pending in eth_getLogs',
    rules: ['RPC-FLT-04'],
    spec: 'pre-confirmed logs',
    base: 'logs of latest',
  },
  logsToAboveHead: {
    about: 'toBlock above the head in eth_getLogs',
    rules: ['LIM-01'],
    spec: 'clipped',
    base: 'refused',
  },
  logsMaxRange: {
    about: 'the widest toBlock - fromBlock that eth_getLogs answers',
    rules: ['LIM-01', 'LIM-02', 'LIM-03'],
    spec: 2_000,
    base: 100_000,
  },
  logsRangeErrorCode: {
    about: 'the error code above that',
    rules: ['LIM-02'],
    spec: -32614,
    base: -32602,
  },
  callWithoutTo: {
    about: 'eth_call without to',
    rules: ['RPC-CALL-06'],
    spec: 'refused',
    base: 'creation',
  },
  revertCode: {
    about: 'the error code of a reverted eth_call',
    rules: ['ERR-01'],
    spec: -32000,
    base: 3,
  },
  revertMessage: {
    about: 'the message of a reverted eth_call',
    rules: ['ERR-02'],
    spec: 'bare',
    base: 'with reason',
  },
  simulateError: {
    about: 'error of a failed call in eth_simulateV1',
    rules: ['RPC-SIM-38'],
    spec: 'string',
    base: 'object',
  },
  simulateFunds: {
    about: 'what a sender in eth_simulateV1 lacks for value and gas, without validation',
    rules: ['RPC-SIM-09'],
    spec: 'lent',
    base: 'refused with -38014',
  },
  simulateMaxUsedGas: {
    about: 'maxUsedGas of a call in eth_simulateV1',
    rules: ['RPC-SIM-32'],
    spec: 'absent',
    base: 'present',
  },
  simulateRevertData: {
    about: 'where eth_simulateV1 gives what a reverted call returned',
    rules: ['RPC-SIM-36', 'RPC-SIM-38'],
    spec: 'returnData',
    base: 'data of the error',
  },
  simulateStateRoot: {
    about: 'stateRoot of a block of eth_simulateV1',
    rules: ['RPC-SIM-30'],
    spec: 'zero',
    base: 'computed',
  },
  simulateUnknownBlock: {
    about: 'the error of eth_simulateV1 upon a block that is not known',
    rules: [],
    spec: '-32001 block not found',
    base: '-32000 header not found',
  },
  callBaseFee: {
    about: 'BASEFEE in eth_call, eth_createAccessList and debug_traceCall that name no fee',
    rules: ['RPC-CALL-22', 'RPC-CALL-23'],
    spec: 'of the block',
    base: 'zero',
  },
  proofKeys: {
    about: 'storage keys of fewer than 32 bytes in the answer of eth_getProof',
    rules: [],
    spec: '32 bytes',
    base: 'as a number',
  },
  simulateGaps: {
    about: 'blocks between two simulated numbers that do not follow each other',
    rules: ['RPC-SIM-04'],
    spec: 'left out',
    base: 'filled with empty blocks',
  },
  simulateWithoutPreconfirmations: {
    about: 'eth_simulateV1 on an endpoint without pre-confirmations',
    rules: ['RPC-ENV-17'],
    spec: 'not offered',
    base: 'offered',
  },
  receiptOfWaiting: {
    about:
      'eth_getTransactionReceipt of a transaction in the pool: null, or what the next flashblock says of it',
    rules: [],
    spec: 'null at once',
    base: 'waited for',
  },
  proofWithoutProposer: {
    about: 'prover_prove without proposer',
    rules: ['PRV-REQ-08'],
    spec: 'refused',
    base: 'signed over the zero address',
  },
  proofWithoutInterval: {
    about: 'prover_prove without intermediate_block_interval',
    rules: ['PRV-REQ-09'],
    spec: 'refused',
    base: 'taken for zero',
  },
  enclaveFailureCode: {
    about: 'the error code of an enclave_* call that failed',
    rules: ['ERR-10', 'HOST-RPC-09', 'HOST-RPC-10'],
    spec: '-32010 not reached, -32011 an error of the enclave',
    base: '-32001',
  },
  signedTransaction: {
    about: 'what eth_signTransaction answers',
    rules: [],
    spec: 'raw and tx',
    base: 'bytes',
  },
  droppedPendingLogs: {
    about: 'logs of a dropped pre-confirmation in pendingLogs',
    rules: ['RPC-LOG-13'],
    spec: 'sent again with removed true',
    base: 'nothing sent',
  },
} as const

type Table = typeof PROFILE_DIFFERENCES

/** One value per difference, for one profile. */
export type ProfileValues = {
  readonly [K in keyof Table]: K extends 'logsMaxRange'
    ? number
    : Table[K]['spec'] | Table[K]['base']
}

export function profileValues(profile: Profile): ProfileValues {
  const values = Object.entries(PROFILE_DIFFERENCES).map(([name, row]) => [name, row[profile]])
  return Object.fromEntries(values) as ProfileValues
}
