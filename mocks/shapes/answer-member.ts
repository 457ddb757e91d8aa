import type { JsonPath } from '#mocks/zoo/change-at'
import type { RpcCall } from '#mocks/zoo/mutant'
import {
  BLOCK_FIELDS,
  LOG_FIELDS,
  NULL_WHEN_PENDING,
} from '#suites/gate/conformance/spec/block-fields'

/** Form of a value on the wire: as the gate's schemas name it, and those of the prover and the API. */
export type AnswerForm =
  | 'quantity'
  | 'hash'
  | 'address'
  | 'bytes'
  | 'nonce'
  | 'bloom'
  | 'list'
  | 'boolean'
  | 'number'
  | 'octets'
  | 'text'

/** A member of an answer, and the rule that says what it is. */
export interface AnswerMember {
  area: string
  target: 'rpc' | 'ws' | 'api' | 'prover' | 'enclave'
  /** JSON-RPC method; at an enclave the kind of request; nothing where there is one only. */
  method: string
  /** Which answers of the method, in a word. */
  of: string
  /** Whether the answer to this call is meant. Default: each. */
  isMeant?: (call: RpcCall) => boolean
  path: JsonPath
  form: AnswerForm
  rule: string
  /** Of the error object, where the answer is one. Default: of the result. */
  isOfError?: true
}

/** Rules of a block's members, in the order in which the spec has the members. */
const BLOCK_RULES = [
  ...['05', '06', '07', '08', '09', '10', '11', '12', '13', '14', '15', '16', '17', '18', '19'],
  ...['20', '21', '22', '24', '25', '26', '27', '28', '29', '30', '31'],
].map((number) => `RPC-BLK-${number}`)

/** Members by which a pending block departs from a sealed one; the others follow RPC-PEND-04. */
const PENDING_RULES: Readonly<Record<string, string>> = {
  gasUsed: 'RPC-PEND-05',
  transactions: 'RPC-PEND-06',
  blobGasUsed: 'RPC-PEND-09',
}

const LOG_RULES = ['02', '03', '05', '06', '07', '08', '09', '10', '11', '12'].map(
  (number) => `RPC-LOG-${number}`,
)

/** Members of a simulated block that have a rule of their own. */
const SIMULATED: Readonly<Record<string, string>> = {
  number: 'RPC-SIM-23',
  hash: 'RPC-SIM-24',
  parentHash: 'RPC-SIM-25',
  timestamp: 'RPC-SIM-26',
  gasLimit: 'RPC-SIM-27',
  gasUsed: 'RPC-SIM-28',
  baseFeePerGas: 'RPC-SIM-29',
  stateRoot: 'RPC-SIM-30',
}

const SIMULATED_CALL: readonly [string, AnswerForm, string][] = [
  ['status', 'quantity', 'RPC-SIM-33'],
  ['gasUsed', 'quantity', 'RPC-SIM-35'],
  ['returnData', 'bytes', 'RPC-SIM-36'],
  ['logs', 'list', 'RPC-SIM-37'],
]

/** Members that a transaction has in a block, whatever its type (RPC-BLK-23; execution-apis, "transaction"). */
const TRANSACTION: Readonly<Record<string, AnswerForm>> = {
  hash: 'hash',
  type: 'quantity',
  from: 'address',
  to: 'address',
  nonce: 'quantity',
  gas: 'quantity',
  value: 'quantity',
  input: 'bytes',
  blockHash: 'hash',
  blockNumber: 'quantity',
  transactionIndex: 'quantity',
  gasPrice: 'quantity',
  chainId: 'quantity',
  r: 'quantity',
  s: 'quantity',
  v: 'quantity',
}

/** Members that those of some types have beside (EIP-1559, EIP-2930). */
const TYPED_TRANSACTION: Readonly<Record<string, AnswerForm>> = {
  maxFeePerGas: 'quantity',
  maxPriorityFeePerGas: 'quantity',
  yParity: 'quantity',
  accessList: 'list',
}

/** Of which no document says what they are before the block is sealed (OPEN-08). */
const OPEN_WHEN_PENDING = ['blockHash', 'blockNumber', 'transactionIndex', 'gasPrice']

const PROPOSAL: readonly [string, AnswerForm, string][] = [
  ['output_root', 'hash', 'PRV-PROP-02'],
  ['signature', 'bytes', 'SIG-01'],
  ['l1_origin_hash', 'hash', 'PRV-PROP-03'],
  ['l1_origin_number', 'number', 'PRV-PROP-04'],
  ['l2_block_number', 'number', 'PRV-PROP-05'],
  ['prev_output_root', 'hash', 'PRV-PROP-06'],
  ['config_hash', 'hash', 'PRV-PROP-07'],
]

/** Of a revert: the other errors of eth_call are of no particular code. */
const REVERT: readonly [string, AnswerForm, string][] = [
  ['code', 'number', 'ERR-01'],
  ['message', 'text', 'ERR-02'],
  ['data', 'bytes', 'ERR-03'],
]

const isPending = (value: unknown) => value === 'pending'

/** Every member of every answer that the spec describes. */
export const ANSWER_MEMBERS: readonly AnswerMember[] = [
  ...Object.entries(BLOCK_FIELDS).flatMap(([name, form], index): AnswerMember[] => {
    const block = { target: 'rpc', method: 'eth_getBlockByNumber', path: [name], form } as const
    return [
      {
        ...block,
        area: 'block',
        of: 'sealed',
        isMeant: (call) => !isPending(call.params[0]),
        rule: BLOCK_RULES[index]!,
      },
      ...(NULL_WHEN_PENDING.includes(name)
        ? []
        : [
            {
              ...block,
              area: 'pending',
              of: 'pending',
              isMeant: (call: RpcCall) => isPending(call.params[0]),
              rule: PENDING_RULES[name] ?? 'RPC-PEND-04',
            },
          ]),
      {
        ...block,
        area: 'simulate',
        method: 'eth_simulateV1',
        of: 'simulated',
        path: ['*', name],
        rule: SIMULATED[name] ?? 'RPC-SIM-22',
      },
    ]
  }),
  ...Object.entries({ ...TRANSACTION, ...TYPED_TRANSACTION }).flatMap(
    ([name, form]): AnswerMember[] => {
      const method = 'eth_getBlockByNumber'
      const of = { target: 'rpc', method, path: ['transactions', '*', name], form } as const
      return [
        {
          ...{ ...of, area: 'block', of: 'transactions', rule: 'RPC-BLK-23' },
          isMeant: (call) => call.params[1] === true && !isPending(call.params[0]),
        },
        ...(OPEN_WHEN_PENDING.includes(name)
          ? []
          : [
              {
                ...{ ...of, area: 'pending', of: 'pending-transactions', rule: 'RPC-PEND-08' },
                isMeant: (call: RpcCall) => call.params[1] === true && isPending(call.params[0]),
              },
            ]),
      ]
    },
  ),
  ...([true, false] as const).map(
    (ofPending): AnswerMember => ({
      ...{ area: ofPending ? 'pending' : 'block', target: 'rpc', method: 'eth_getBlockByNumber' },
      of: ofPending ? 'pending-hashes' : 'hashes',
      isMeant: (call) => call.params[1] === false && isPending(call.params[0]) === ofPending,
      path: ['transactions', '*'],
      form: 'hash',
      rule: ofPending ? 'RPC-PEND-06' : 'RPC-BLK-22',
    }),
  ),
  ...Object.entries(LOG_FIELDS).flatMap(([name, form], index): AnswerMember[] => {
    const log = { form, rule: LOG_RULES[index]! }
    const method = 'eth_getLogs'
    return [
      { ...log, area: 'logs', target: 'rpc', method, of: 'logs', path: ['*', name] },
      { ...log, area: 'stream', target: 'ws', method: 'pendingLogs', of: 'streamed', path: [name] },
      {
        ...{ area: 'simulate', target: 'rpc', method: 'eth_simulateV1', of: 'simulated-logs' },
        ...{ path: ['*', 'calls', '*', 'logs', '*', name], form, rule: 'RPC-SIM-37' },
      },
    ]
  }),
  ...SIMULATED_CALL.map(
    ([name, form, rule]): AnswerMember => ({
      area: 'simulate',
      target: 'rpc',
      method: 'eth_simulateV1',
      of: 'calls',
      path: ['*', 'calls', '*', name],
      form,
      rule,
    }),
  ),
  whole('call', 'rpc', 'eth_call', 'bytes', 'RPC-CALL-18'),
  ...REVERT.map(
    ([name, form, rule]): AnswerMember => ({
      ...{ area: 'call', target: 'rpc', method: 'eth_call', of: 'revert' },
      ...{ path: [name], form, rule, isOfError: true as const },
    }),
  ),
  whole('storage', 'rpc', 'eth_getStorageAt', 'hash', 'RPC-STOR-05'),
  ...PROPOSAL.flatMap(([name, form, rule]): AnswerMember[] => {
    const area = name === 'signature' ? 'journal' : 'prover'
    const of = { area, target: 'prover', method: 'prover_prove', form, rule } as const
    return [
      { ...of, of: 'aggregate', path: ['Tee', 'aggregate_proposal', name] },
      { ...of, of: 'proposals', path: ['Tee', 'proposals', '*', name] },
    ]
  }),
  {
    ...whole('attestation', 'prover', 'enclave_signerAttestation', 'octets', 'ATT-01'),
    path: ['*'],
  },
  { ...whole('prover', 'prover', 'enclave_signerPublicKey', 'octets', 'HOST-RPC-05'), path: ['*'] },
  { ...whole('api', 'api', '', 'text', 'BC-12'), area: 'builder-codes', path: ['builderCode'] },
  {
    ...whole('api', 'api', '', 'address', 'BC-08'),
    area: 'builder-codes',
    path: ['walletAddress'],
  },
  whole('enclave', 'enclave', 'SignerPublicKey', 'octets', 'ENC-KIND-02'),
  {
    ...whole('enclave', 'enclave', 'SignerAttestation', 'octets', 'ENC-KIND-03'),
    of: 'document',
  },
]

function whole(
  area: string,
  target: AnswerMember['target'],
  method: string,
  form: AnswerForm,
  rule: string,
): AnswerMember {
  return { area, target, method, of: 'result', path: [], form, rule }
}
