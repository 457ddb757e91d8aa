import { privateKeyToAccount } from 'viem/accounts'
import { packTests, unpackTests } from './pack-vectors.ts'
import { sampleTests } from './sample-tests.ts'
import { VECTOR_NOTES } from './vector-notes.ts'
import type { JournalVectors, VectorGroup } from './vector-schema.ts'
import { PRIVATE_KEY, verifyTests } from './verify-vectors.ts'

/** The vector file. Every expected value comes from viem, none from our codec. */
export async function makeVectors(): Promise<JournalVectors> {
  let tcId = 0
  const numbered = <T>(tests: T[]) => tests.map((test) => ({ tcId: ++tcId, ...test }))
  const account = privateKeyToAccount(PRIVATE_KEY)
  const testGroups: VectorGroup[] = [
    { type: 'JournalPack', tests: numbered(packTests()) },
    { type: 'JournalUnpack', tests: numbered(unpackTests()) },
    { type: 'JournalSample', tests: numbered(sampleTests()) },
    {
      type: 'JournalVerify',
      key: {
        privateKey: PRIVATE_KEY,
        publicKey: account.publicKey,
        address: account.address.toLowerCase(),
      },
      tests: numbered(await verifyTests()),
    },
  ]
  return {
    algorithm: 'TEE prover journal: packed, keccak256, ECDSA over secp256k1',
    schema: 'journal.schema.json',
    generatedBy: 'npx node suites/prover/journal/write-vectors.ts',
    numberOfTests: tcId,
    header: [
      'Journals that TEE enclaves sign for output roots of a Base-like rollup, 196 + 32·N bytes.',
      'Expected values come from viem. The keys are for tests only.',
    ],
    notes: VECTOR_NOTES,
    testGroups,
  }
}
