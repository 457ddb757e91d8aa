import { decodeFunctionData, type Hex } from 'viem'
import { l1CrossDomainMessengerAbi } from '#fixtures/contracts/L1CrossDomainMessenger.abi'

/** A message as one messenger sends it and the other is to relay it. */
interface RelayedMessage {
  /** Its highest two bytes are the version. */
  nonce: bigint
  sender: Hex
  target: Hex
  /** wei */
  value: bigint
  minGasLimit: bigint
  /** The call at the target. */
  inner: Hex
}

/** Reads a call of relayMessage; both messengers have the same. Throws when it is another call. */
export function decodeRelayed(data: Hex): RelayedMessage {
  const { args, functionName } = decodeFunctionData({ abi: l1CrossDomainMessengerAbi, data })
  if (functionName !== 'relayMessage') throw new Error(`a call of ${functionName}`)
  const [nonce, sender, target, value, minGasLimit, inner] = args
  return { nonce, sender, target, value, minGasLimit, inner }
}
