import { bigIntMax, bigIntMin } from '@ethereumjs/util'
import { hexToBytes } from '../bytes/hex-to-bytes.ts'
import type { Changes } from '../evm/engine-message.ts'
import type { Address } from '../types/bytes.ts'
import type { AccessListEntry, Authorization } from '../types/transaction.ts'
import { type Authorized, applyAuthorizations } from './apply-authorizations.ts'
import { createdAddress } from './created-address.ts'
import type { BlockEnvironment, CallOutcome } from './executor.ts'
import type { Halt } from './halt.ts'
import type { IntrinsicGas } from './intrinsic-gas.ts'
import { type Machine, precompilesAt } from './machine.ts'
import { openMessage } from './open-message.ts'
import { runEngine, runEngineAtHand } from './run-engine.ts'
import { type AccountEntry, addressBytes } from './world-state.ts'

/** What a transaction and a call have in common. */
export interface Message {
  from: Address
  to: Address | null
  value: bigint
  data: Uint8Array
  /** Gas limit, intrinsic gas included. */
  gas: bigint
  accessList?: readonly AccessListEntry[] | undefined
  authorizationList?: readonly Authorization[] | undefined
}

export interface MessageOutcome extends CallOutcome {
  /** For `endTransaction`. */
  destroyed: Address[]
}

/** What was settled before a message runs. */
export interface Charged {
  /** What GASPRICE answers. */
  gasPrice: bigint
  /** What it costs by its form. */
  intrinsic: IntrinsicGas
}

const NOTHING = new Uint8Array(0)
const NOT_AUTHORIZED: Authorized = { refund: 0n, authorities: [] }

/**
 * Runs a message whose sender has paid already: warms addresses, applies authorizations, executes,
 * and reckons the gas. The caller has checked that gas covers the intrinsic part and the sender the
 * value, and has counted up the nonce.
 * @returns at once where all that it needs is at hand: a promise takes as long as a transfer's opcodes
 */
export function runMessage(
  machine: Machine,
  message: Message,
  environment: BlockEnvironment,
  charged: Charged,
): MessageOutcome | Promise<MessageOutcome> {
  const sender = machine.world.known(message.from)
  if (!sender || message.authorizationList?.length) {
    return runLater(machine, message, environment, charged)
  }
  const begun = begin(machine, message, environment, charged, { sender, ...NOT_AUTHORIZED })
  const ended = runEngineAtHand(machine)
  if (ended) return end(machine, message, begun, ended.halt)
  return runEngine(machine, environment).then((halt) => end(machine, message, begun, halt))
}

/** The same of a message that has to wait before it begins. */
async function runLater(
  machine: Machine,
  message: Message,
  environment: BlockEnvironment,
  charged: Charged,
): Promise<MessageOutcome> {
  const sender = await machine.world.entry(message.from)
  const { authorizationList } = message
  const authorized = authorizationList?.length
    ? await applyAuthorizations(machine, authorizationList)
    : NOT_AUTHORIZED
  const begun = begin(machine, message, environment, charged, { sender, ...authorized })
  return end(machine, message, begun, await runEngine(machine, environment))
}

/**
 * The same of a message without authorizations; undefined: something that it needs is not at hand.
 * @throws NodeMissing, which means the same; BudgetSpent
 */
export function runMessageAtHand(
  machine: Machine,
  message: Message,
  environment: BlockEnvironment,
  charged: Charged,
): MessageOutcome | undefined {
  const sender = machine.world.entryAtHand(message.from)
  const begun = begin(machine, message, environment, charged, { sender, ...NOT_AUTHORIZED })
  const ended = runEngineAtHand(machine)
  return ended && end(machine, message, begun, ended.halt)
}

/** What is known of a message once the engine has it. */
interface BegunMessage {
  created: Address | null
  authorizationRefund: bigint
  /** EIP-7623. */
  floor: bigint
}

function begin(
  machine: Machine,
  message: Message,
  environment: BlockEnvironment,
  { gasPrice, intrinsic }: Charged,
  { sender, refund: authorizationRefund, authorities }: Authorized & { sender: AccountEntry },
): BegunMessage {
  const { engine } = machine
  const created = message.to === null ? createdAddress(message.from, sender.nonce - 1n) : null
  const gas = message.gas - intrinsic.gas
  const caller = addressBytes(sender)
  openMessage(machine, environment, { origin: caller, gasPrice }, gas)
  if (machine.precompileView) {
    for (const own of precompilesAt(machine, environment).addresses) engine.warm(own)
  }
  for (const address of authorities) engine.warm(hexToBytes(address))
  for (const { address, storageKeys } of message.accessList ?? []) {
    const bytes = hexToBytes(address)
    engine.warm(bytes)
    for (const key of storageKeys) engine.warmSlot(bytes, hexToBytes(key))
  }
  engine.begin({
    caller,
    target: hexToBytes(message.to ?? created!),
    isCreation: created !== null,
    value: message.value,
    gas,
    input: message.data,
  })
  return { created, authorizationRefund, floor: intrinsic.floor }
}

function end(
  machine: Machine,
  message: Message,
  { created, authorizationRefund, floor }: BegunMessage,
  halt: Halt | undefined,
): MessageOutcome {
  const { engine } = machine
  const { gasLeft, refund, output } = engine.outcome()
  const isSeen = !halt && !machine.readState
  const destroyed = isSeen ? takeOver(machine, engine.takeChanges()) : []
  const used = message.gas - gasLeft
  const back = authorizationRefund + (halt ? 0n : refund)
  const { tellsRawLogs } = machine
  const outcome: MessageOutcome = {
    status: halt ? 0 : 1,
    output: !halt || halt.kind === 'revert' ? output : NOTHING,
    logs: halt || tellsRawLogs ? [] : engine.logs(),
    // EIP-3529: at most a fifth comes back. EIP-7623: the floor holds after refunds.
    gasUsed: bigIntMax(used - bigIntMin(back, used / 5n), floor),
    maxUsedGas: bigIntMax(used, floor),
    contractAddress: created,
    destroyed,
  }
  if (halt) outcome.halt = halt
  else if (tellsRawLogs) outcome.rawLogs = engine.rawLogs()
  return outcome
}

/**
 * Writes into the world what the message has changed.
 * @returns what it has created and destroyed (EIP-6780)
 */
export function takeOver({ world }: Machine, { accounts, slots }: Changes): Address[] {
  const destroyed: Address[] = []
  for (const { address, fields, code, isDestroyed } of accounts) {
    const entry = world.entryAtHand(address)
    if (isDestroyed) destroyed.push(address)
    world.update(entry, fields)
    if (code) world.setCode(entry, code)
  }
  for (const { address, key, value } of slots) {
    world.setSlotAtHand(world.entryAtHand(address), key, value)
  }
  // The engine knows these.
  world.takeChanged()
  return destroyed
}
