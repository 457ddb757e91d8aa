import { concatHex, encodePacked, type Hex } from 'viem'

export const depositor: Hex = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'

export const attributes = {
  baseFeeScalar: 1368,
  blobBaseFeeScalar: 810_949,
  sequenceNumber: 3n,
  timestamp: 0x6553f102n,
  number: 0x0102030405n,
  basefee: 1_000_000_000n,
  blobBaseFee: 1n,
  hash: `0x${'ab'.repeat(32)}` as Hex,
  batcherHash: `0x${'00'.repeat(12)}${'bc'.repeat(20)}` as Hex,
  operatorFeeScalar: 0x0a0b0c0d,
  operatorFeeConstant: 0x1122334455667788n,
  daFootprintGasScalar: 0x0190,
}

/** Calldata of an L1-attributes deposit (OP spec: l1-attributes of Isthmus and Jovian). */
export function attributesCalldata(fork: 'ecotone' | 'isthmus' | 'jovian'): Hex {
  const a = attributes
  const selector = { ecotone: '0x440a5e20', isthmus: '0x098999be', jovian: '0x3db6be2b' } as const
  const ecotone = encodePacked(
    ['uint32', 'uint32', 'uint64', 'uint64', 'uint64', 'uint256', 'uint256', 'bytes32', 'bytes32'],
    [
      a.baseFeeScalar,
      a.blobBaseFeeScalar,
      a.sequenceNumber,
      a.timestamp,
      a.number,
      a.basefee,
      a.blobBaseFee,
      a.hash,
      a.batcherHash,
    ],
  )
  const operator = encodePacked(['uint32', 'uint64'], [a.operatorFeeScalar, a.operatorFeeConstant])
  const footprint = encodePacked(['uint16'], [a.daFootprintGasScalar])
  return concatHex([
    selector[fork],
    ecotone,
    fork === 'ecotone' ? '0x' : operator,
    fork === 'jovian' ? footprint : '0x',
  ])
}
