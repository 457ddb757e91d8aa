import { instead } from '../caller-mistakes.ts'
import type { Mutant, mutantsOf } from '../mutant.ts'

const RS = 'slice(signature, 0, 64)'
const RS_AS_NUMBERS =
  'numberToHex(BigInt(slice(signature, 0, 32))), numberToHex(BigInt(slice(signature, 32, 64)))'

const PROVE = "(devnet.proverUrl, 'prover_prove'"
/** What is asked of the host, once the signer of its first enclave is valid. */
const IF_FIRST_IS_VALID = `(await (async () => {
    const [key] = await rpc<number[][]>(devnet.proverUrl, 'enclave_signerPublicKey')
    const { keccak256 } = await import('viem')
    const isValid = await l1.readContract({
      address: devnet.contracts.teeProverRegistry,
      abi: parseAbi(['function isValidSigner(address) view returns (bool)']),
      functionName: 'isValidSigner',
      args: [('0x' + keccak256(Uint8Array.from(key!.slice(1))).slice(-40)) as Hex],
    })
    if (!isValid) throw new Error('the signer is not valid yet')
    return devnet.proverUrl
  })(), 'prover_prove'`

/** Makes too little of what signs, or of what it signed: in our proposer and our challenger alike. */
export const signatureMutants = (
  caller: ReturnType<typeof mutantsOf>,
  rule: string,
  file: string,
): Mutant[] => [
  caller(
    'SIG-06',
    'rs-as-numbers',
    'Takes r and s for numbers, and loses the zeros that they begin with',
    instead(file, RS, RS_AS_NUMBERS),
  ),
  caller(
    rule,
    'first-enclave-alone',
    'Asks for no proof while the signer of the first enclave is not valid, though another is',
    instead(file, PROVE, IF_FIRST_IS_VALID),
  ),
]
