import { expect, test } from 'vitest'
import { enclaveKinds } from './enclave-kinds.ts'

test.each([
  [0, []],
  [2, ['sim', 'sim']],
  ['vm', ['vm']],
  ['local', ['local']],
  [
    ['sim', 'sim', 'vm'],
    ['sim', 'sim', 'vm'],
  ],
] as const)('given %j, then there is one entry for each enclave', (choice, kinds) => {
  expect(enclaveKinds(choice)).toEqual(kinds)
})

test('given local mode beside a measured image, then it is refused: games accept one hash', () => {
  const refusal = expect.objectContaining({ code: 'ENCLAVES_UNFIT' })
  expect(() => enclaveKinds(['sim', 'local'])).toThrow(refusal)
  expect(enclaveKinds(['local', 'local'])).toHaveLength(2)
})
