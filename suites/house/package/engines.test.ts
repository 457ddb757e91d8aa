import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..', '..')
/** The oldest Node that rollbed runs on. */
const OLDEST = '20.19.0'
/** npm warns (EBADENGINE) of these on the oldest Node, and why that does no harm. */
const TOO_NEW: Record<string, string> = {
  'node_modules/cookie': 'Of light-my-request, which fastify loads only when a test injects.',
}

interface LockEntry {
  dev?: true
  engines?: { node?: string }
  dependencies?: Record<string, string>
}

const json = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'))
const installed = (): [string, LockEntry][] =>
  Object.entries(json('package-lock.json').packages as Record<string, LockEntry>).filter(
    ([path, { dev }]) => path !== '' && !dev,
  )

describe('given the oldest Node', () => {
  test('when rollbed is installed as a dependency, then npm has nothing to warn of but what is listed', () => {
    expect(admits(json('package.json').engines.node, OLDEST)).toBe(true)
    const entries = installed()
    for (const name of Object.keys(json('package.json').dependencies)) {
      expect(entries.map(([path]) => path)).toContain(`node_modules/${name}`)
    }
    const warned = entries.filter(([, { engines }]) => !admits(engines?.node ?? '*', OLDEST))
    expect(warned.map(([path]) => path)).toEqual(Object.keys(TOO_NEW))
  })

  test.each([
    ['>=20.19', true],
    ['>= 14.6', true],
    ['>=20.20', false],
    ['>=22', false],
    ['20 || >=22', true],
    ['^14.18.0 || ^16.14.0 || >=18.0.0', true],
    ['^20.19.0 || >=22.12.0', true],
    ['^18 || ^20.20.0', false],
    ['^22.14.0', false],
    ['*', true],
  ])('when a package asks for %s, then it is told whether that takes it', (range, expected) => {
    expect(admits(range, OLDEST)).toBe(expected)
  })
})

/**
 * Whether a range takes a version, as npm reads it.
 * @param range the forms that `engines` of packages have: `>=`, `^`, a bare version, joined by `||`
 */
function admits(range: string, version: string): boolean {
  return range.split('||').some((part) => {
    const said = /^(>=|\^|)\s*(\d+(?:\.(?:\d+|x)){0,2}|\*)$/.exec(part.trim())
    if (!said) throw new Error(`“${range}” has a form that this test cannot read.`)
    const [, operator, least = '*'] = said
    if (least === '*') return true
    const wanted = least.split('.').filter((digits) => digits !== 'x')
    if (operator === '') return version.split('.').slice(0, wanted.length).join() === wanted.join()
    const isSameMajor = Number(version.split('.')[0]) === Number(wanted[0])
    return ordinal(version) >= ordinal(wanted.join('.')) && (operator === '>=' || isSameMajor)
  })
}

function ordinal(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  return (major * 1e4 + minor) * 1e4 + patch
}
