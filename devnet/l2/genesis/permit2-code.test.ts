import { domainSeparator } from 'viem'
import { expect, test } from 'vitest'
import { loadPreinstalls } from '#fixtures/preinstalls/load-preinstalls'
import { PERMIT2_ADDRESS, permit2Code } from './permit2-code.ts'

const { code } = loadPreinstalls().find(({ address }) => address === PERMIT2_ADDRESS)!
const wordsOf = (chainId: number) => [
  chainId.toString(16).padStart(64, '0'),
  domainSeparator({
    domain: { name: 'Permit2', chainId, verifyingContract: PERMIT2_ADDRESS },
  }).slice(2),
]

test('given another chain id, then that and its domain stand where those of the usual chain stood', () => {
  const other = permit2Code(code, 4242)
  const usual = wordsOf(84538453)
  const places = usual.map((word) => code.indexOf(word))
  expect(places.every((place) => place > 0)).toBe(true)
  expect(wordsOf(4242).map((word) => other.indexOf(word))).toEqual(places)
  expect(other).toHaveLength(code.length)
  for (const word of usual) expect(other).not.toContain(word)
})

test('given the usual chain id, then it is the code of the preinstalls', () => {
  expect(permit2Code(code, 84538453)).toBe(code)
})
