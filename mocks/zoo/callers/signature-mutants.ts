import { instead } from '../caller-mistakes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

const proposer = mutantsOf('proposer', 'proposer')
const challenger = mutantsOf('challenger', 'challenger')

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

/** Callers that make too little of what signs, or of what it signed. */
export const SIGNATURE_MUTANTS: readonly Mutant[] = [
  proposer(
    'SIG-06',
    'rs-as-numbers',
    'Takes r and s for numbers, and loses the zeros that they begin with',
    instead('own-proposer.ts', RS, RS_AS_NUMBERS),
  ),
  challenger(
    'SIG-06',
    'rs-as-numbers',
    'Takes r and s for numbers, and loses the zeros that they begin with',
    instead('own-challenger.ts', RS, RS_AS_NUMBERS),
  ),
  proposer(
    'PIPE-25',
    'first-enclave-alone',
    'Asks for no proof while the signer of the first enclave is not valid, though another is',
    instead('own-proposer.ts', PROVE, IF_FIRST_IS_VALID),
  ),
  challenger(
    'PIPE-26',
    'first-enclave-alone',
    'Asks for no proof while the signer of the first enclave is not valid, though another is',
    instead('own-challenger.ts', PROVE, IF_FIRST_IS_VALID),
  ),
]
