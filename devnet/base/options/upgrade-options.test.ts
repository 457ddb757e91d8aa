import { expect, test } from 'vitest'
import { journalEraOf, parseUpgrades, scheduleOf } from './upgrade-options.ts'

const times = { genesis: { l2: { number: 0 }, l2Time: 1_000 }, blockTime: 2 }

test.each([
  ['azul=genesis,denim=+30s', { azul: 'genesis', denim: 1_030 }],
  ['denim=block 20', { denim: 1_040 }],
  ['azul=never, denim=1234', { denim: 1_234 }],
  ['denim=999', { denim: 'genesis' }],
  ['denim=+0s', { denim: 'genesis' }],
  // Five blocks a second from block 20 on.
  ['denim=block 20,azul=block 30', { azul: 1_042, denim: 1_040 }],
  ['azul=never', undefined],
])('given a chain that begins at 1,000 s and %s, then its schedule is %j', (text, schedule) => {
  expect(scheduleOf(parseUpgrades(text), times)).toEqual(schedule)
})

test.each([
  ['denim', "'denim' is no upgrade and its time."],
  ['osaka=genesis', "There is no upgrade 'osaka' here."],
  ['denim=soon', "denim cannot come at 'soon'."],
  ['denim=+1.5s', "denim cannot come at '+1.5s'."],
  ['denim=', "denim cannot come at ''."],
])('given %s, then it is refused', (text, message) => {
  expect(() => parseUpgrades(text)).toThrow(
    expect.objectContaining({ code: 'UPGRADES_INVALID', message }),
  )
})

test('given a block in the middle of a second, then no upgrade can come with it', () => {
  expect(() => scheduleOf(parseUpgrades('denim=block 20,azul=block 21'), times)).toThrow(
    expect.objectContaining({ code: 'UPGRADES_INVALID' }),
  )
})

test.each([
  ['azul=genesis', undefined, 'activated-schedule'],
  ['azul=genesis', 'whole-schedule', 'whole-schedule'],
  ['azul=never', undefined, undefined],
] as const)('given %s and journals %s, then they are %s', (upgrades, wanted, era) => {
  expect(journalEraOf(parseUpgrades(upgrades), wanted)).toBe(era)
})

test('given journals that name a schedule on a chain without one, or an era that never was, then they are refused', () => {
  const refused = expect.objectContaining({ code: 'UPGRADES_INVALID' })
  expect(() => journalEraOf({}, 'whole-schedule')).toThrow(refused)
  expect(() => journalEraOf({ azul: 'genesis' }, 'packed' as 'whole-schedule')).toThrow(refused)
})
