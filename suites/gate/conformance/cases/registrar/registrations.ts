import { toHex } from 'viem'
import { beginOverlap, endOverlap, putInForce } from '../../callers/change-l1.ts'
import {
  askedAgain,
  outlastBusyHost,
  registrationsOf,
  sendThroughRefusal,
} from '../../callers/sent-calls.ts'
import type { WatchedCaller } from '../../callers/watched-caller.ts'
import { CALLER_TIMEOUT, withCaller } from '../../callers/with-caller.ts'
import { type CaseContext, defineCases } from '../../conformance-case.ts'
import type { AttestationFault } from '../../drivers/caller-world.ts'
import { expectDifferent, expectEqual, expectThat } from '../../matchers/expect-equal.ts'
import { decodeCoseDocument } from '../../spec/cose-document.ts'
import { addressOfKey, keccak256 } from '../../spec/hash.ts'
import type { Hex } from '../../wire/hex.ts'

/** Of the host's two enclaves. */
const LYING = 0
const HONEST = 1

export const cases = defineCases([
  {
    id: 'caller.registrar.challenge.01',
    title: 'The challenge is the same for a signer each time, and another for another signer',
    area: 'registrar',
    rules: ['ATT-13', 'ATT-14', 'HOST-RPC-02'],
    needs: ['registrar'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Who proves the attestation later has to know what it was bound to.',
    async run(t) {
      await withCaller(t, 'registrar', async (caller) => {
        caller.start()
        const signers = await registeredBy(caller, 2)
        await expectAttestedImages(caller)
        const [first, other] = challengesOf(caller).at(-1)!
        expectDifferent(other, first, 'challenge of the second signer')
        const rounds = challengesOf(caller).length
        // It has seen them registered, and may not go by that for ever.
        await letItLookAgain(caller, 1)
        await caller.world.play('unregistered-signer')
        expectEqual((await registeredBy(caller, 2)).toSorted(), signers.toSorted(), 'signers again')
        expectEqual(challengesOf(caller)[rounds], [first, other], 'challenges of the second time')
        expectKeysWithoutParams(caller)
      })
    },
  },
  {
    id: 'caller.registrar.challenge.02',
    title: 'A registrar that is started anew sends the challenges of the one before',
    area: 'registrar',
    rules: ['ATT-13'],
    needs: ['registrar'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Two runs for one signer send equal bytes: it is worked out, not drawn and kept.',
    async run(t) {
      await withCaller(t, 'registrar', async (caller) => {
        caller.start()
        await registeredBy(caller, 2)
        const before = challengesOf(caller).at(-1)!
        await caller.forget()
        await caller.world.play('unregistered-signer')
        caller.start()
        await registeredBy(caller, 2)
        expectEqual(challengesOf(caller).at(-1), before, 'challenges of the one started anew')
      })
    },
  },
  {
    id: 'caller.registrar.challenge.03',
    title: 'An enclave that comes back with another key gets another challenge',
    area: 'registrar',
    rules: ['ATT-13'],
    needs: ['registrar'],
    timeout: CALLER_TIMEOUT,
    rationale: 'The challenge is of the signer, not of its place behind the host.',
    async run(t) {
      await withCaller(t, 'registrar', async (caller) => {
        caller.start()
        const signers = await registeredBy(caller, 2)
        const before = challengesOf(caller).at(-1)![HONEST]
        await caller.world.attestWith(HONEST, 'new-key')
        await caller.until('the registration of the new signer', async () => {
          const now = await signersOf(caller)
          return now.some((signer) => !signers.includes(signer)) || undefined
        })
        expectDifferent(challengesOf(caller).at(-1)![HONEST], before, 'challenge of the new signer')
      })
    },
  },
  {
    id: 'caller.registrar.busy-host.01',
    title: 'A host that answers 503 at first is asked again, and its signers are registered',
    area: 'registrar',
    rules: ['ATT-14'],
    needs: ['registrar'],
    timeout: CALLER_TIMEOUT,
    rationale: 'What stands before a host says so while none is ready, and not in JSON.',
    async run(t) {
      await withCaller(t, 'registrar', async (caller) => {
        await outlastBusyHost(caller, 'enclave_signerPublicKey', () => caller.start())
        await outlastBusyHost(caller, 'enclave_signerAttestation')
        await registeredBy(caller, 2)
      })
    },
  },
  {
    id: 'caller.registrar.refused-transaction.01',
    title: 'A registration that L1 refuses for a reason that passes is sent again',
    area: 'registrar',
    rules: ['ATT-14'],
    needs: ['registrar'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Of several nodes behind one address one may be a block behind.',
    async run(t) {
      await withCaller(t, 'registrar', async (caller) => {
        await sendThroughRefusal(caller)
        await registeredBy(caller, 2)
      })
    },
  },
  {
    id: 'caller.registrar.lost-key.01',
    title: 'A signer whose enclave came back with another key is taken off',
    area: 'registrar',
    rules: ['ATT-14'],
    level: 'should',
    needs: ['registrar'],
    timeout: CALLER_TIMEOUT,
    rationale:
      'No enclave has the old key any more: what it signs from now on, somebody else signs.',
    async run(t) {
      await withCaller(t, 'registrar', async (caller) => {
        caller.start()
        const before = await registeredBy(caller, 2)
        await caller.world.attestWith(HONEST, 'new-key')
        await caller.until('the new signer registered, and the old one no longer', async () => {
          const now = await signersOf(caller)
          const isNew = now.some((signer) => !before.includes(signer))
          return (isNew && !before.every((signer) => now.includes(signer))) || undefined
        })
      })
    },
  },
  {
    id: 'caller.registrar.silent-host.01',
    title: 'While a host does not answer, or answers an error, its signers stay registered',
    area: 'registrar',
    rules: ['ATT-14'],
    needs: ['registrar'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Silence attests nothing, and without signers no claim can be brought to L1.',
    async run(t) {
      await withCaller(t, 'registrar', async (caller) => {
        caller.start()
        const signers = await registeredBy(caller, 2)
        for (const how of ['gone', 'refused'] as const) {
          caller.spoil('enclave_signerPublicKey', how)
          await letItLookAgain(caller)
          expectEqual(await signersOf(caller), signers, 'getRegisteredSigners()')
        }
      })
    },
  },
  {
    id: 'caller.registrar.rotation.01',
    title:
      'While two images are valid, the signer of the one to come stays registered beside the others',
    area: 'registrar',
    rules: ['ROT-02'],
    needs: ['registrar'],
    timeout: CALLER_TIMEOUT,
    rationale:
      'The registry holds the next image valid before its enclaves answer behind any host.',
    async run(t) {
      await withCaller(t, 'registrar', async (caller) => {
        caller.start()
        const signers = await registeredBy(caller, 2)
        const next = await beginRotation(caller)
        expectEqual(
          (await signersOf(caller)).toSorted(),
          [...signers, next.signer.address].toSorted(),
          'getRegisteredSigners()',
        )
      })
    },
  },
  {
    id: 'caller.registrar.rotation.02',
    title: 'A registrar that is started anew while two images are valid has nothing to send',
    area: 'registrar',
    rules: ['ROT-02', 'ATT-14'],
    needs: ['registrar'],
    timeout: CALLER_TIMEOUT,
    rationale:
      'Who takes signers off to begin anew leaves a host without any, until each is proven again.',
    async run(t) {
      await withCaller(t, 'registrar', async (caller) => {
        caller.start()
        await registeredBy(caller, 2)
        await caller.world.play('rotation-begins')
        const signers = await registeredBy(caller, 3)
        await caller.forget()
        caller.start()
        await letItLookAgain(caller)
        expectEqual(caller.sent, [], 'transactions of the one started anew')
        expectEqual(await signersOf(caller), signers, 'getRegisteredSigners()')
      })
    },
  },
  {
    id: 'caller.registrar.rotation.03',
    title:
      'Once the next image is not valid any more, a signer of it that no host has is taken off',
    area: 'registrar',
    rules: ['ROT-02', 'ATT-14'],
    level: 'should',
    needs: ['registrar'],
    timeout: CALLER_TIMEOUT,
    rationale: 'Signers of two images stand beside each other while both run, and no longer.',
    async run(t) {
      await withCaller(t, 'registrar', async (caller) => {
        caller.start()
        const signers = await registeredBy(caller, 2)
        await endOverlap(caller, (await beginRotation(caller)).imageHash)
        await caller.until('the signer of the next image taken off', async () =>
          (await signersOf(caller)).length === signers.length ? true : undefined,
        )
        expectEqual((await signersOf(caller)).toSorted(), signers.toSorted(), 'signers that stay')
      })
    },
  },
  {
    id: 'caller.registrar.rotation.04',
    title: 'While enclaves of two valid images run, the signers of both are registered',
    area: 'registrar',
    rules: ['ROT-02', 'ATT-14'],
    needs: ['registrar'],
    timeout: CALLER_TIMEOUT,
    rationale:
      'Once the next image is in force its signers alone are valid: by then they have to be there.',
    async run(t) {
      await withCaller(t, 'registrar', async (caller) => {
        const next = await bootNextImage(t, caller)
        caller.start()
        const signers = await registeredBy(caller, 2)
        expectThat(signers.includes(next.signer), next.signer, signers, 'getRegisteredSigners()')
        await expectAttestedImages(caller)
      })
    },
  },
  {
    id: 'caller.registrar.rotation.05',
    title: 'Once the next image is in force, the signer of its enclave is registered',
    area: 'registrar',
    rules: ['ATT-14'],
    needs: ['registrar'],
    timeout: CALLER_TIMEOUT,
    rationale:
      'Which image counts is read from L1 each time: without a valid signer nothing is proven.',
    async run(t) {
      await withCaller(t, 'registrar', async (caller) => {
        caller.start()
        await registeredBy(caller, 2)
        const next = await attestNextImage(t, caller)
        await letItLookAgain(caller)
        await putInForce(caller, next.imageHash)
        await caller.until(`${next.signer} registered, whose image is in force now`, async () =>
          (await signersOf(caller)).includes(next.signer) ? true : undefined,
        )
      })
    },
  },
  refused('debug-image.01', 'debug-image', 'of an enclave in debug mode, whose PCR0 is zero', [
    'ATT-14',
  ]),
  refused('other-key.01', 'other-key', 'that names another key than the signer’s', ['ATT-14']),
  refused('other-root.01', 'other-root', 'whose certificates lead to another root', ['ATT-14']),
  refused('other-challenge.01', 'other-challenge', 'that was made for another challenge', [
    'ATT-13',
  ]),
  refused('no-challenge.01', 'no-challenge', 'that was made for no challenge at all', ['ATT-13']),
  refused('other-issuer.01', 'other-issuer', 'whose certificates the root did not issue', [
    'ATT-14',
  ]),
  refused('other-leaf.01', 'other-leaf', 'whose own certificate those above it did not issue', [
    'ATT-14',
  ]),
  refused('other-signature.01', 'other-signature', 'that the certified key did not sign', [
    'ATT-14',
  ]),
  // That certificates end is of X.509: the documents say nothing of it.
  { ...refused('expired.01', 'expired', 'whose certificate ran out', ['ATT-14']), level: 'should' },
  // How old a document may be, L1 alone says.
  {
    ...refused('old-document.01', 'old-document', 'that was made two hours ago', ['ATT-14']),
    level: 'should',
  },
])

function refused(
  name: string,
  fault: AttestationFault,
  which: string,
  rules: readonly string[],
): Parameters<typeof defineCases>[0][number] {
  return {
    id: `caller.registrar.${name}`,
    title: `An attestation ${which} registers nobody`,
    area: 'registrar',
    rules,
    needs: ['registrar'],
    timeout: CALLER_TIMEOUT,
    rationale: 'A registered key may end every dispute: the registrar is the one who checks.',
    run: (t) => expectRefused(t, fault),
  }
}

async function expectRefused(t: CaseContext, fault: AttestationFault): Promise<void> {
  await withCaller(t, 'registrar', async (caller) => {
    await caller.world.attestWith(LYING, fault)
    caller.start()
    const honest = addressOfKey(Uint8Array.from((await keysOf(caller))[HONEST]!))
    // The host lists the lying one first: once the other is in, its attestation was looked at.
    await caller.until('the registration of the honest signer', async () => {
      const signers = await signersOf(caller)
      return signers.includes(honest) || undefined
    })
    await caller.untilQuiet()
    // One that belongs to no host may be gone again by now.
    expectEqual(registrationsOf(caller), 1, 'calls of registerSigner, for one honest signer')
    expectEqual(await signersOf(caller), [honest], 'getRegisteredSigners()')
  })
}

async function signersOf(caller: WatchedCaller): Promise<Hex[]> {
  const { teeProverRegistry } = caller.world.description.contracts
  const signers = (await caller.read(teeProverRegistry, 'getRegisteredSigners')) as Hex[]
  return signers.map((signer) => signer.toLowerCase() as Hex)
}

function registeredBy(caller: WatchedCaller, count: number): Promise<Hex[]> {
  return caller.until(`${count} registered signers`, async () => {
    const signers = await signersOf(caller)
    return signers.length === count ? signers : undefined
  })
}

/** It has asked the host once more, and so many L1 blocks went by. */
async function letItLookAgain(caller: WatchedCaller, blocks?: number): Promise<void> {
  await askedAgain(caller, 'enclave_signerPublicKey')
  await caller.untilQuiet(blocks)
}

/** The registry holds another image valid, too, and the registrar has seen it. @returns that image, and its signer */
async function beginRotation(caller: WatchedCaller) {
  const { next } = await caller.world.play('rotation-begins')
  await letItLookAgain(caller)
  return next as { imageHash: Hex; signer: { address: Hex } }
}

/** The registry holds another image valid, too, of which one enclave is from now on. @returns that image, and its signer */
async function bootNextImage(t: CaseContext, caller: WatchedCaller) {
  const next = await attestNextImage(t, caller)
  await beginOverlap(caller, next.imageHash)
  return next
}

/** One enclave is of another image from now on. @returns that image, and its signer */
async function attestNextImage(t: CaseContext, caller: WatchedCaller) {
  await caller.world.attestWith(HONEST, 'next-image')
  const host = t.connectTo(caller.world.description.proverUrl)
  const documents = (await host.result('enclave_signerAttestation', [])) as number[][]
  return attestedBy(documents[HONEST]!)
}

/** Whom a document names, and its image: keccak256 of PCR0 (JRN-17). */
function attestedBy(document: readonly number[]) {
  const { payload } = decodeCoseDocument(Uint8Array.from(document), 'the document')
  return {
    signer: addressOfKey(payload.public_key!),
    imageHash: keccak256(toHex(payload.pcrs.get(0)!)),
  }
}

/** The registry has each signer under the image that its document attests. */
async function expectAttestedImages(caller: WatchedCaller): Promise<void> {
  const { teeProverRegistry } = caller.world.description.contracts
  const call = caller.asked.find(({ method }) => method === 'enclave_signerAttestation')
  for (const document of (call?.response.result ?? []) as number[][]) {
    const { signer, imageHash } = attestedBy(document)
    expectEqual(
      await caller.read(teeProverRegistry!, 'signerImageHash', [signer]),
      imageHash,
      `signerImageHash(${signer}), against PCR0 of its document`,
    )
  }
}

/** Uncompressed public keys, as the host told them to the caller. */
function keysOf(caller: WatchedCaller): Promise<number[][]> {
  return caller.until('a call of enclave_signerPublicKey', () => {
    const call = caller.asked.find(({ method }) => method === 'enclave_signerPublicKey')
    return call?.response.result as number[][] | undefined
  })
}

/** A host may let pass what its method does not take; the next one refuses it. */
function expectKeysWithoutParams({ asked }: WatchedCaller): void {
  for (const { method, params } of asked)
    if (method === 'enclave_signerPublicKey')
      expectEqual(Object.values(params ?? []), [], `params of ${method}`)
}

/** The binding inputs of each call, one for each enclave: nonce, and user data if there is any. */
function challengesOf(caller: WatchedCaller): string[][] {
  return caller.asked
    .filter(({ method }) => method === 'enclave_signerAttestation')
    .map(({ params: [userData, nonces] }) => {
      return ((nonces ?? []) as unknown[]).map((nonce) => JSON.stringify([userData, nonce]))
    })
}
