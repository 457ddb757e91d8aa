import { generateKeyPairSync, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { RunResult } from './model.ts'
import { sampleCase, sampleRun } from './sample-run.ts'
import { signRun, verifyRun, whatIsMissing } from './sign-run.ts'
import { toBadge } from './to-badge.ts'

const pem = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    publicKey,
    private: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    public: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  }
}
const key = pem()
const text = `${JSON.stringify(sampleRun(), null, 2)}\n`

describe('a signed run', () => {
  test('given a run, then it is a DSSE envelope whose signature is over the pre-authentication encoding', () => {
    const { payload, payloadType, signatures } = signRun(text, key.private)
    const bytes = Buffer.from(payload, 'base64')
    expect(bytes.toString()).toBe(text)
    // As dsse/protocol.md spells it, made here anew.
    const encoded = Buffer.concat([
      Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${bytes.length} `),
      bytes,
    ])
    const signature = Buffer.from(signatures[0]!.sig, 'base64')
    expect(verify(null, encoded, key.publicKey, signature)).toBe(true)
  })

  test('given its key, then it comes back whole, and not with another or after a change', () => {
    const envelope = signRun(text, key.private)
    expect(verifyRun(JSON.stringify(envelope), key.public)).toEqual(sampleRun())
    expect(() => verifyRun(JSON.stringify(envelope), pem().public)).toThrow('no signature')
    const other = Buffer.from(text.replace('"fail"', '"pass"')).toString('base64')
    const changed = JSON.stringify({ ...envelope, payload: other })
    expect(() => verifyRun(changed, key.public)).toThrow('no signature')
  })

  test.each([[null], [{}], [{ sig: 1 }], ['x']])(
    'given the signature %j, then it is no envelope',
    (bad) => {
      const envelope = { ...signRun(text, key.private), signatures: [bad] }
      expect(() => verifyRun(JSON.stringify(envelope), key.public)).toThrow('no DSSE envelope')
    },
  )

  test.each(['', '[]', 'null', '{"payload":"x"}'])('given %j, then it is no envelope', (bad) => {
    expect(() => verifyRun(bad, key.public)).toThrow(/not JSON|no DSSE envelope/)
  })

  test('given another kind of key, then it is not taken', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const p256 = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    expect(() => signRun(text, p256)).toThrow('not ed25519')
    expect(() => signRun(text, 'a key')).toThrow('no key in PEM')
  })
})

describe('the green badge', () => {
  const whole: RunResult = {
    ...sampleRun(),
    cases: [sampleCase()],
    rules: [{ ...sampleRun().rules[0]!, verdict: 'pass', isJudged: true }],
  }
  const green = '#1f7a3d'

  test('given a signed run in which nothing was left out, then it is given', () => {
    expect(whatIsMissing(whole)).toEqual([])
    expect(toBadge(whole, { isWholeAndSigned: true })).toContain(green)
    expect(toBadge(whole)).not.toContain(green)
  })

  test.each<[string, Partial<RunResult>, string]>([
    ['a failure', { cases: [sampleCase({ verdict: 'fail' })] }, '1 failed or could not be judged'],
    [
      'what was skipped',
      { cases: [sampleCase({ verdict: 'not-applicable' })] },
      '1 not applicable',
    ],
    ['what was excused', { cases: [sampleCase({ verdict: 'expected-fail' })] }, '1 excused'],
    [
      'a should that is not met',
      { cases: [sampleCase({ verdict: 'non-strict' })] },
      '1 not strict: a should is not met',
    ],
    ['a shard', { shard: { index: 1, count: 3 } }, 'only shard 1 of 3'],
    [
      'a rule whose cases did not run',
      { rules: [{ ...whole.rules[0]!, verdict: undefined! }] },
      '1 rules whose cases did not run',
    ],
  ])('given %s, then it is refused, and named', (_, change, says) => {
    expect(whatIsMissing({ ...whole, ...change })).toEqual([says])
  })
})
