import { expect, test } from 'vitest'
import { drawText } from './draw-text.ts'

test('given a report, when it is drawn, then each line is one of the picture, bold where it is in Markdown', () => {
  const svg = drawText('# Title\n\n- **what** (2 < 3)', 'A report')
  expect(svg).toContain('<title>A report</title>')
  expect(svg.match(/<text/g)).toHaveLength(3)
  expect(svg).toContain('font-weight="bold" xml:space="preserve"># Title<')
  expect(svg).toContain('- <tspan font-weight="bold">what</tspan> (2 &lt; 3)')
})

test('given a line that is too long, then it goes on in the next', () => {
  const words = Array.from({ length: 40 }, (_, at) => `word${at}`)
  const texts = [...drawText(words.join(' '), 'Words').matchAll(/>([^<]+)<\/text>/g)].map(
    ([, text]) => text!,
  )
  expect(texts.length).toBeGreaterThan(1)
  expect(texts.every((text) => text.length <= 110)).toBe(true)
  expect(texts.join(' ').split(/\s+/)).toEqual(words)
})
