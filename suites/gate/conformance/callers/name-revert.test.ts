import { expect, test } from 'vitest'
import { nameRevert } from './name-revert.ts'

const error = (data: unknown) => ({ error: { code: 3, message: 'execution reverted', data } })

test('given the data of an error of the contracts, then it has its name and arguments', () => {
  // keccak256("InvalidSigner(address)") begins with bf18af43, keccak256("BadExtraData()") with 9824bdab.
  const signer = '0a'.repeat(20)
  expect(nameRevert(error(`0xbf18af43${'00'.repeat(12)}${signer}`))).toMatch(
    /^InvalidSigner\(0x(0a){20}\)$/i,
  )
  expect(nameRevert(error('0x9824bdab'))).toBe('BadExtraData()')
  expect(nameRevert(error({ data: '0x9824bdab' }))).toBe('BadExtraData()')
})

test('given anything else, then it is told as it is', () => {
  expect(nameRevert(error('0x12345678'))).toBe('execution reverted 0x12345678')
  expect(nameRevert(error(undefined))).toBe('execution reverted')
  expect(nameRevert({ result: '0x' })).toBeUndefined()
})
