/** What bytes of calldata cost. */
export interface CalldataGas {
  /** 16 per non-zero byte, 4 per zero byte (EIP-2028; ATTR-07, OPEN-44, OPEN-45). */
  intrinsic: bigint
  /** EIP-7623: 40 per non-zero byte, 10 per zero byte; paid only where the floor rules. */
  floor: bigint
}

export function calldataGas(data: Uint8Array): CalldataGas {
  let zeros = 0
  for (const byte of data) if (byte === 0) zeros += 1
  const others = data.length - zeros
  return { intrinsic: BigInt(others * 16 + zeros * 4), floor: BigInt(others * 40 + zeros * 10) }
}
