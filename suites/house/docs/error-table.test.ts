import { describe, expect, test } from 'vitest'
import { ERROR_AREAS, explainError } from '#protocol/errors/error-table'
import { RollbedError } from '#protocol/errors/rollbed-error'
import type { ErrorRow } from '#protocol/errors/table/error-row'
import { errorCatalogue } from './error-catalogue.ts'
import { errorPage } from './error-page.ts'

const catalogue = errorCatalogue()
const thrown = catalogue.filter(({ code }) => !/^-?\d+$/.test(code))
const rows = ERROR_AREAS.flatMap((area) =>
  Object.entries<ErrorRow>(area.rows).map(([code, row]) => ({ code, first: area.first, ...row })),
)

describe('the table of errors', () => {
  test('given the sources, then every code that they throw is in it, and no other', () => {
    expect(rows.map(({ code }) => code).sort()).toEqual(thrown.map(({ code }) => code).sort())
  })

  test('given a code that only tests throw, then making the page says so', () => {
    const others = catalogue.filter(({ code }) => code !== 'PORT_BUSY')
    expect(() => errorPage(others)).toThrow(/^PORT_BUSY is in the table of errors, but nothing in/)
  })

  test('given a code that is not in it, then it does not compile', () => {
    // @ts-expect-error: this line is the test; the types are checked before any test runs.
    const error = new RollbedError('NO_SUCH_CODE', 'Nobody says so.')
    expect(explainError(error.code)).toBeUndefined()
  })

  test('given an area, then its numbers rise within its hundred, and none stands twice', () => {
    for (const { first, rows } of ERROR_AREAS) {
      const numbers = Object.values<ErrorRow>(rows).map(({ number }) => number)
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
      expect(numbers.filter((number) => number <= first || number > first + 99)).toEqual([])
    }
    expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length)
    expect(new Set(ERROR_AREAS.map(({ first }) => first % 100))).toEqual(new Set([0]))
  })

  // Beginnings of two areas and a few codes that scripts may know by now.
  test.each([
    ['USAGE', 'RB101'],
    ['PORT_BUSY', 'RB104'],
    ['NO_DEVNET', 'RB201'],
    ['INSUFFICIENT_FUNDS', 'RB319'],
    ['TARGET_UNREACHABLE', 'RB1101'],
  ])('given %s, then its number stays %s', (code, id) => {
    expect(explainError(code)?.id).toBe(id)
  })

  test('given a code, then the row or whoever throws it says what to do', () => {
    const hints = new Map(thrown.map((error) => [error.code, error.hints]))
    const silent = rows.filter(({ code, action }) => {
      const hinted = [...(hints.get(code) ?? [])].filter((hint) => !/^‹[^›]*›$/.test(hint))
      return !action && hinted.length === 0
    })
    expect(silent.map(({ code }) => code)).toEqual([])
  })

  test('given a title, then it is short, begins as a heading does, and ends without a stop', () => {
    const wrong = rows.filter(({ title }) => !/^\S.{4,78}[^.\s]$/.test(title))
    expect(wrong.map(({ title }) => title)).toEqual([])
  })

  test('given a code, then its link leads to a heading of the page', () => {
    const headings = [...errorPage(catalogue).matchAll(/^### (\w+)$/gm)].map(([, code]) => code!)
    const anchors = headings.map((code) => `devnet/docs/errors.md#${code.toLowerCase()}`)
    expect(rows.map(({ code }) => explainError(code)!.page)).toEqual(anchors)
  })
})
