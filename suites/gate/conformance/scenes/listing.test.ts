import { describe, expect, it } from 'vitest'
import { timelinessOf } from './listing.ts'

const quick = { visibleAfter: 180, slowestLook: 10, wasLeftOut: false }

describe('timelinessOf: whether pending listed a transaction in time', () => {
  it('given a look within a flashblock and some room, then soon', () => {
    expect(timelinessOf(quick)).toBe('soon')
  })

  it('given quick looks that saw it late, or never while it was not sealed, then late', () => {
    expect(timelinessOf({ ...quick, visibleAfter: 900, wasLeftOut: true })).toBe('late')
    expect(timelinessOf({ ...quick, visibleAfter: undefined, wasLeftOut: true })).toBe('late')
  })

  it('given slow looks, then not told', () => {
    expect(timelinessOf({ ...quick, visibleAfter: 1_400, slowestLook: 800 })).toBe('not told')
  })

  it('given a block sealed before a look saw the transaction in pending, then not told', () => {
    expect(timelinessOf({ ...quick, visibleAfter: undefined })).toBe('not told')
  })
})
