import { type Hex, numberToHex, parseTransaction } from 'viem'

const TYPES: Readonly<Record<string, Hex>> = {
  ...{ legacy: '0x0', eip2930: '0x1', eip1559: '0x2', eip4844: '0x3', eip7702: '0x4' },
}

/** What JSON-RPC says of a transaction by its bytes alone: all but its hash, its sender, its place and its price. */
export function signedMembers(raw: Hex): Readonly<Record<string, unknown>> {
  const signed = parseTransaction(raw)
  const { type, chainId, nonce, to, value, gas, data, accessList, authorizationList } = signed
  const number = (each: bigint | number | undefined) => numberToHex(each ?? 0)
  const isOld = type === 'legacy'
  return {
    ...{ type: TYPES[String(type)], nonce: number(nonce), to: to ?? null, value: number(value) },
    ...{ gas: number(gas), input: data ?? '0x', v: number(isOld ? signed.v : signed.yParity) },
    ...{ r: trimmed(signed.r), s: trimmed(signed.s) },
    ...(chainId !== undefined && { chainId: number(chainId) }),
    ...(signed.maxFeePerGas !== undefined && {
      maxFeePerGas: number(signed.maxFeePerGas),
      maxPriorityFeePerGas: number(signed.maxPriorityFeePerGas),
    }),
    ...(!isOld && { accessList: accessList ?? [], yParity: number(signed.yParity) }),
    ...(authorizationList && {
      authorizationList: authorizationList.map((each) => ({
        ...{ chainId: number(each.chainId), address: each.address, nonce: number(each.nonce) },
        ...{ yParity: number(each.yParity), r: trimmed(each.r), s: trimmed(each.s) },
      })),
    }),
  }
}

/** A quantity has no zeros before it. */
const trimmed = (word: Hex | undefined) => numberToHex(BigInt(word ?? '0x0'))
