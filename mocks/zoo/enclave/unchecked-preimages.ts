import { type Hex, toHex } from 'viem'
import { hashKey } from '#suites/gate/conformance/spec/enclave-messages'
import type { Preimage } from '#suites/gate/conformance/spec/enclave-payloads'
import { changePreimages } from './change-preimages.ts'

/** What its key should be; undefined where the key is not a hash that the enclave checks. */
export const preimageHash = ({ key: { type }, value }: Preimage): Hex | undefined =>
  type === 'keccak256' || type === 'sha256' ? toHex(hashKey(type, value)) : undefined

/** Takes some wrong preimages without a word. */
export const unchecked = (
  isUnchecked: (preimage: Preimage, at: number, all: readonly Preimage[]) => boolean,
) =>
  changePreimages((all) => all.filter((each, at) => !(isWrong(each) && isUnchecked(each, at, all))))

const isWrong = (preimage: Preimage) =>
  ![undefined, toHex(preimage.key.data)].includes(preimageHash(preimage))
