import { afterEach, expect, test } from 'vitest'
import { devnetForTests } from './devnet-for-tests.ts'

const versions = Object.getOwnPropertyDescriptor(process, 'versions')!
afterEach(() => Object.defineProperty(process, 'versions', versions))

test('given a Node that no devnet runs on, when a test wants one, then the message tells what to install', async () => {
  const old = { ...process.versions, node: '20.20.2' }
  Object.defineProperty(process, 'versions', { ...versions, value: old, configurable: true })
  await expect(devnetForTests({})).rejects.toThrow(/20\.20\.2.*npm install --save-dev node@24/)
})
