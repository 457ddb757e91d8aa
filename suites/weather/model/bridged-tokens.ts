import {
  type Abi,
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  keccak256,
  parseAbi,
  parseAbiItem,
  slice,
  zeroAddress,
} from 'viem'
import type { LogSeen, TokenKnown, TransactionSeen } from './events-of.ts'
import type { Change, Ledger } from './ledger.ts'
import { MESSAGE_PASSER, withdrawalOf } from './predeploys.ts'

/** What the standard bridges do with a token of L1, by the OP specification (Bridges, Messengers), without their code. */

const BRIDGE: Hex = '0x4200000000000000000000000000000000000010'
const MESSENGER: Hex = '0x4200000000000000000000000000000000000007'
const ABI = parseAbi([
  'function withdrawTo(address l2Token, address to, uint256 amount, uint32 minGasLimit, bytes extraData)',
  'function finalizeBridgeERC20(address localToken, address remoteToken, address from, address to, uint256 amount, bytes extraData)',
  'function relayMessage(uint256 nonce, address sender, address target, uint256 value, uint256 minGasLimit, bytes message) payable',
  'function initiateWithdrawal(address target, uint256 gasLimit, bytes data) payable',
])
/** Slots: of tokens by their owner, and of their sum; of messages that were relayed, that failed, and of their count. */
const [OWNED, SUPPLY] = [0n, 4n]
const [RELAYED, FAILED, COUNT] = [0n, 1n, 2n]
/** Of messages, in the upper two bytes of their nonces. */
const VERSION = 1n << 240n
/** What a relay takes by itself, and for each byte. */
const [RELAY_GAS, BYTE_GAS] = [200_000n, 40n]

type Unplaced = Omit<LogSeen, 'logIndex'>
interface Moved {
  changes: readonly Change[]
  logs: readonly Unplaced[]
}

/** `address => uint256` or `bytes32 => bool` at a slot, by Solidity's layout. */
const slotIn = (mapping: bigint, key: Hex) =>
  hexToBigInt(
    keccak256(
      encodeAbiParameters(
        [{ type: key.length === 42 ? 'address' : 'bytes32' }, { type: 'uint256' }],
        [key, mapping],
      ),
    ),
  )

const kept = (ledger: Ledger, address: Hex, slot: bigint) => ledger.slot(address, slot) ?? 0n

/** Of `balanceOf`; undefined where there is no such token, or that is not what was asked. */
export function tokensOf(ledger: Ledger, token: Hex, input: Hex): bigint | undefined {
  if (!input.startsWith('0x70a08231') || !ledger.isContract(token)) return undefined
  return kept(ledger, token, slotIn(OWNED, slice(input, 16, 36)))
}

/** @returns undefined where it must fail */
export function tokensLeave(
  { from, input }: TransactionSeen,
  ledger: Ledger,
  known: TokenKnown,
): Moved | undefined {
  const { args } = decodeFunctionData({ abi: ABI, data: input })
  const [token, to, amount, minGas, extra] = args as [Hex, Hex, bigint, number, Hex]
  const owned = kept(ledger, token, slotIn(OWNED, from))
  if (!ledger.isContract(token) || owned < amount) return undefined
  const l1 = known.l1Token
  const nonce = VERSION | kept(ledger, MESSENGER, COUNT)
  const arrives = call('finalizeBridgeERC20', [l1, token, from, to, amount, extra])
  const relay = call('relayMessage', [nonce, BRIDGE, known.l1Bridge, 0n, BigInt(minGas), arrives])
  const size = BigInt((arrives.length - 2) / 2)
  const gas = RELAY_GAS + (BigInt(minGas) * 64n) / 63n + size * BYTE_GAS
  const passed = withdrawalOf(
    {
      ...{ from: MESSENGER, value: '0x0' },
      input: call('initiateWithdrawal', [known.l1Messenger, gas, relay]),
    },
    ledger,
  )!
  const pair = [l1, token, from, to, amount, extra]
  const burnt = moved(ledger, token, from, -amount)
  return {
    changes: [
      burnt,
      { address: MESSAGE_PASSER, slots: passed.slots },
      { address: MESSENGER, slots: [[COUNT, kept(ledger, MESSENGER, COUNT) + 1n]] },
    ],
    logs: [
      log(token, TRANSFER, [from, zeroAddress, amount]),
      log(token, 'event Burn(address indexed account, uint256 amount)', [from, amount]),
      log(BRIDGE, `event WithdrawalInitiated(${OLD})`, pair),
      log(BRIDGE, `event ERC20BridgeInitiated(${NEW})`, [token, l1, from, to, amount, extra]),
      passed.log,
      log(MESSENGER, SENT, [known.l1Bridge, BRIDGE, arrives, nonce, BigInt(minGas)]),
      log(MESSENGER, 'event SentMessageExtension1(address indexed sender, uint256 value)', [
        ...[BRIDGE, 0n],
      ]),
    ],
  }
}

/** A message of L1's bridge: it says which tokens came, and fails where there is nothing that stands for them. */
export function tokensArrive({ input }: TransactionSeen, ledger: Ledger): Moved {
  const hash = keccak256(input)
  const arriving = arrivingIn(input)
  if (!arriving || !ledger.isContract(arriving.token)) {
    return {
      changes: [{ address: MESSENGER, slots: [[slotIn(FAILED, hash), 1n]] }],
      logs: [log(MESSENGER, 'event FailedRelayedMessage(bytes32 indexed msgHash)', [hash])],
    }
  }
  const { token, l1, from, to, amount, extra } = arriving
  return {
    changes: [
      moved(ledger, token, to, amount),
      { address: MESSENGER, slots: [[slotIn(RELAYED, hash), 1n]] },
    ],
    logs: [
      log(token, TRANSFER, [zeroAddress, to, amount]),
      log(token, 'event Mint(address indexed account, uint256 amount)', [to, amount]),
      log(BRIDGE, `event DepositFinalized(${OLD})`, [l1, token, from, to, amount, extra]),
      log(BRIDGE, `event ERC20BridgeFinalized(${NEW})`, [token, l1, from, to, amount, extra]),
      log(MESSENGER, 'event RelayedMessage(bytes32 indexed msgHash)', [hash]),
    ],
  }
}

/** What a message between the messengers says of tokens. */
function arrivingIn(relay: Hex) {
  try {
    const relayed: readonly unknown[] = decodeFunctionData({ abi: ABI, data: relay }).args
    const message = relayed[5] as Hex
    const { args } = decodeFunctionData({ abi: ABI, data: message })
    const [token, l1, from, to, amount, extra] = args as [Hex, Hex, Hex, Hex, bigint, Hex]
    return { token, l1, from, to, amount, extra }
  } catch {
    return undefined
  }
}

export const isRelay = ({ to, input }: TransactionSeen) =>
  to?.toLowerCase() === MESSENGER && input.startsWith(call('relayMessage', EMPTY).slice(0, 10))
export const isTokenWithdrawal = ({ to }: TransactionSeen) => to?.toLowerCase() === BRIDGE

const EMPTY = [0n, zeroAddress, zeroAddress, 0n, 0n, '0x'] as const
const TRANSFER = 'event Transfer(address indexed from, address indexed to, uint256 value)'
const SENT =
  'event SentMessage(address indexed target, address sender, bytes message, uint256 messageNonce, uint256 gasLimit)'
const [OLD, NEW] = [
  ['l1Token', 'l2Token'],
  ['localToken', 'remoteToken'],
].map(
  ([one, other]) =>
    `address indexed ${one}, address indexed ${other}, address indexed from, address to, uint256 amount, bytes extraData`,
)

/** Beside each other: what its owner has, and what there is of it. */
function moved(ledger: Ledger, token: Hex, owner: Hex, amount: bigint): Change {
  const slots = [slotIn(OWNED, owner), SUPPLY]
  return {
    address: token,
    slots: slots.map((slot) => [slot, kept(ledger, token, slot) + amount] as const),
  }
}

const call = (functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: ABI as Abi, functionName, args })

/** @param event as Solidity says it; `values` in its order */
function log(address: Hex, event: string, values: readonly unknown[]): Unplaced {
  const item = parseAbiItem(event) as {
    type: 'event'
    name: string
    inputs: { name: string; type: string; indexed?: boolean }[]
  }
  const shown = item.inputs.map(({ name, indexed }, at) => [indexed, name, values[at]] as const)
  const topics = encodeEventTopics({
    abi: [item],
    eventName: item.name,
    args: Object.fromEntries(
      shown.flatMap(([indexed, name, value]) => (indexed ? [[name, value]] : [])),
    ),
  } as never) as Hex[]
  const data = encodeAbiParameters(
    item.inputs.filter(({ indexed }) => !indexed),
    shown.filter(([indexed]) => !indexed).map(([, , value]) => value) as never,
  )
  return { address, topics, data }
}
