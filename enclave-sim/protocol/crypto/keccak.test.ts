import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { keccak_256 } from '@noble/hashes/sha3.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesToHex } from '../bytes/bytes-to-hex.ts'
import { keccak256, keccak256Hex } from './keccak.ts'

/** Around a block of the sponge (136 bytes) and around the pages that memory grows by. */
const SIZES = [0, 1, 7, 8, 135, 136, 137, 271, 272, 273, 60_000, 65_536, 200_000, 0]

describe('given Keccak-256', () => {
  test.each(SIZES)(
    'when %i bytes are hashed, then it says what another implementation says',
    (size) => {
      const data = Uint8Array.from({ length: size }, (_, index) => index * 7)
      const expected = bytesToHex(keccak_256(data))
      expect([bytesToHex(keccak256(data)), keccak256Hex(data)]).toEqual([expected, expected])
    },
  )

  test('when anything is hashed, then the two agree, and earlier digests stay what they were', () => {
    const anything = fc.array(fc.uint8Array({ maxLength: 600 }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(anything, (messages) => {
        const digests = messages.map(keccak256)
        expect(digests).toEqual(messages.map((message) => keccak_256(message)))
      }),
    )
  })

  test('when a process has only begun, then there is no other code that it could hash by', () => {
    const module = JSON.stringify(join(import.meta.dirname, 'keccak.ts'))
    const script = `import { registerHooks } from 'node:module'
      const loaded = []
      registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
      await import(${module})
      console.log(loaded.filter((url) => !url.startsWith('node:')).join(' '))`
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', script])
    expect(`${said}`).toContain('keccak-wasm.ts')
    expect(`${said}`).not.toContain('node_modules')
  })
})
