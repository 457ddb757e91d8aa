import { expect, test } from 'vitest'
import { KeptJson } from './kept-json.ts'

test('given an object that was shown before, then its text is not made again, but for each view', () => {
  const kept = new KeptJson()
  const block = {}
  let made = 0
  const show = (view: string) => kept.text(block, view, () => ({ view, made: ++made }))
  expect(show('full')).toBe('{"view":"full","made":1}')
  expect(show('full')).toBe('{"view":"full","made":1}')
  expect(show('hashes')).toBe('{"view":"hashes","made":2}')
  expect(JSON.parse(JSON.stringify([kept.result(block, 'full', () => 'never')]))).toEqual([
    { view: 'full', made: 1 },
  ])
})

test('given more text than may be kept, then what nobody asked for is forgotten', () => {
  const kept = new KeptJson(100)
  const [often, once] = [{}, {}]
  const made: string[] = []
  const show = (of: object, name: string) =>
    kept.text(of, 'text', () => {
      made.push(name)
      return 'x'.repeat(38)
    })
  show(once, 'once')
  for (let i = 0; i < 6; i++) {
    show(often, 'often')
    show({}, 'other')
  }
  show(once, 'once')
  expect(made.filter((name) => name === 'often')).toEqual(['often'])
  expect(made.filter((name) => name === 'once')).toEqual(['once', 'once'])
})
