import { expect, test } from 'vitest'
import { unreadable } from './kept-errors.ts'

test.each([
  ['database or disk is full', 'Make room'],
  ["ENOSPC: no space left on device, open 'lock'", 'Make room'],
  ['file is not a database', 'another version of rollbed'],
])(
  'given a file that cannot be used because %s, then the hint says what to do about that',
  (what, hint) => {
    expect(unreadable('lock', what)).toMatchObject({
      code: 'STATE_UNREADABLE',
      message: `lock cannot be used: ${what}.`,
      hint: expect.stringContaining(hint),
    })
  },
)
