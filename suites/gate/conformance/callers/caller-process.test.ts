import { existsSync, readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { VirtualClock } from '#protocol/clock/virtual-clock'
import { type CallerProcessOptions, createCallerProcess } from './caller-process.ts'

const accounts = ['first', 'second', 'third'].map((name) => ({ name }))

async function started(given: Partial<CallerProcessOptions>) {
  const caller = await createCallerProcess({
    command: 'true',
    clock: new VirtualClock(),
    signal: new AbortController().signal,
    description: { accounts },
    ...given,
  })
  onTestFinished(() => caller.stop())
  return caller
}

const turn = () => new Promise(setImmediate)

test('given a caller that ended, when less than a second went by since it was started, then it is not started again', async () => {
  const clock = new VirtualClock()
  const caller = await started({ clock, command: 'echo "{\\"file\\": \\"$DEVNET_JSON\\"}"' })
  caller.process.start()
  while (!caller.isOver()) await turn()

  await clock.advance(999)
  caller.startAgain()
  expect(caller.isOver()).toBe(true)
  await clock.advance(1)
  caller.startAgain()
  expect(caller.isOver()).toBe(false)

  while (!caller.isOver()) await turn()
  expect(caller.process.printed()).toEqual([
    { file: expect.stringMatching(/rollbed-caller-\w+\/devnet\.json$/) },
  ])
})

test('given a place for the first account, then devnet.json has it there, and the next one once accounts change', async () => {
  const caller = await started({ firstAccount: 2, command: 'cat .rollbed/devnet.json; echo' })
  const accountsIn = async () => {
    caller.process.start()
    while (!caller.isOver()) await turn()
    return caller.process.printed().map((description) => description.accounts)
  }
  expect(await accountsIn()).toEqual([[accounts[2], accounts[1], accounts[0]]])
  await caller.process.changeAccounts()
  expect(await accountsIn()).toEqual([[accounts[1], accounts[0], accounts[2]]])
})

test('given a caller that is forgotten, then its next start is in a folder of its own, and all are gone when it stops', async () => {
  const caller = await started({ command: 'echo "{\\"at\\": \\"$PWD\\"}"' })
  const folder = async () => {
    caller.process.start()
    while (!caller.isOver()) await turn()
    return String(caller.process.printed()[0]!.at)
  }
  const folders = [await folder()]
  await caller.forget()
  folders.push(await folder())
  expect(folders[1]).not.toBe(folders[0])
  expect(readFileSync(`${folders[0]}/devnet.json`, 'utf8')).toContain('second')
  await caller.stop()
  expect(folders.map((made) => existsSync(made))).toEqual([false, false])
})

test('given a caller that runs, then it cannot be started beside itself, and a crash starts it anew in its folder', async () => {
  const caller = await started({ command: 'echo "{\\"at\\": \\"$PWD\\"}"; sleep 1000' })
  const folder = async () => {
    while (caller.process.printed().length === 0) await turn()
    return caller.process.printed()[0]!.at
  }
  caller.process.start()
  const first = await folder()
  expect(() => caller.process.start()).toThrow('started twice at once')
  await caller.process.crash()
  expect(await folder()).toBe(first)
})
