import { recoverSigner } from '#protocol/journal/recover-signer'
import type { Address, Hex } from '#protocol/types/bytes'

/**
 * Whether somebody signed exactly these bytes (SIG-07).
 *
 * @param journal packed: 196 + 32·N bytes
 * @param signature 65 bytes, r ‖ s ‖ v with v 0 or 1
 * @throws RollbedError SIGNATURE_INVALID for bytes that are no signature
 * @example
 * import { decodeJournal, encodeJournal, verifyJournal } from 'rollbed/journal'
 *
 * const word = `0x${'11'.repeat(32)}`
 * const journal = encodeJournal({
 *   proposer: `0x${'22'.repeat(20)}`,
 *   l1OriginHash: word,
 *   prevOutputRoot: word,
 *   startingL2Block: 10n,
 *   outputRoot: word,
 *   endingL2Block: 20n,
 *   intermediateRoots: [word, word],
 *   configHash: word,
 *   teeImageHash: word,
 * })
 * console.log(journal.length, decodeJournal(journal).endingL2Block) // 260, 20n
 * const signature = `0x${'01'.repeat(64)}00`
 * verifyJournal(journal, signature, `0x${'33'.repeat(20)}`) // false: somebody else signed
 */
export function verifyJournal(journal: Uint8Array, signature: Hex, signer: Address): boolean {
  return recoverSigner(journal, signature).toLowerCase() === signer.toLowerCase()
}
