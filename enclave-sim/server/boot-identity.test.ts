import { keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { type SecurityModule, securityModule } from '#enclave/security-module/security-module'
import { createSimRoot } from '#enclave/security-module/sim/certificate-chain'
import { createSimSecurityModule } from '#enclave/security-module/sim/sim-security-module'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { seededRng } from '#protocol/random/rng'
import { bootLocal, bootMeasured } from './boot-identity.ts'

const clock = new VirtualClock()
const rng = seededRng('boot')
const pcr0 = new Uint8Array(48).fill(0x5a)
const simulated = createSimSecurityModule({ pcr0, root: createSimRoot({ clock, rng }), clock, rng })

/** Counts sessions and remembers what was asked in which. */
function observed(change: Partial<SecurityModule> = {}) {
  const calls: string[] = []
  let session = 0
  const open = async () => {
    const number = ++session
    const module = securityModule({
      exchange: async (request) => simulated.respond(request),
      close: () => calls.push(`${number} close`),
    })
    const note = <A extends unknown[], R>(name: string, call: (...args: A) => R) => {
      return (...args: A) => {
        calls.push(`${number} ${name}`)
        return call(...args)
      }
    }
    return {
      ...module,
      describePcr: note('describePcr', module.describePcr),
      random: note('random', module.random),
      attest: note('attest', module.attest),
      ...change,
    }
  }
  return { open, calls }
}

describe('a measured boot', () => {
  test('given a session, then PCR0 is read, randomness taken and nothing attested (ENC-START-01..05, ATT-11)', async () => {
    const { open, calls } = observed()
    const identity = await bootMeasured(open)
    expect(identity.imageHash).toBe(keccak256(pcr0))
    expect(identity.signer.publicKey).toHaveLength(65)
    expect(calls).toEqual(['1 describePcr', '1 random', '1 close'])
  })

  test('given two boots, then each makes its own key (ENC-START-09)', async () => {
    const { open } = observed()
    const [first, second] = [await bootMeasured(open), await bootMeasured(open)]
    expect(first.signer.address).not.toBe(second.signer.address)
  })

  test('given a call for an attestation, then each has a new session (ATT-10)', async () => {
    const { open, calls } = observed()
    const { attest } = await bootMeasured(open)
    calls.length = 0
    const claims = { publicKey: null, userData: null, nonce: null }
    await attest(claims)
    await attest(claims)
    expect(calls).toEqual(['2 attest', '2 close', '3 attest', '3 close'])
  })

  test.each([0, 32, 47, 49])(
    'given a PCR0 of %d bytes, then it aborts (ENC-START-03)',
    async (length) => {
      const { open, calls } = observed({
        describePcr: async () => ({ lock: true, data: new Uint8Array(length) }),
      })
      await expect(bootMeasured(open)).rejects.toThrow(`PCR0 has ${length} bytes`)
      expect(calls).toEqual(['1 close'])
    },
  )

  test('given too little randomness, then it aborts', async () => {
    const { open } = observed({ random: async () => new Uint8Array(31) })
    await expect(bootMeasured(open)).rejects.toThrow('gave 31 random bytes')
  })

  test('given no security module, then it aborts: there is no fallback (JRN-20)', async () => {
    const open = () => Promise.reject(new Error('no such device'))
    await expect(bootMeasured(open)).rejects.toThrow('failed to open NSM session: no such device')
  })
})

describe('local mode', () => {
  test('given no module, then the image hash is zero and nothing can be attested (JRN-19)', async () => {
    const identity = bootLocal(rng)
    expect(identity.imageHash).toBe(`0x${'0'.repeat(64)}`)
    await expect(identity.attest({ publicKey: null, userData: null, nonce: null })).rejects.toThrow(
      'failed to open NSM session',
    )
  })
})
