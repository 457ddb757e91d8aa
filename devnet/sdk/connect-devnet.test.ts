import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, expectTypeOf, test } from 'vitest'
import { type Devnet, startDevnet } from '#devnet/start-devnet'
import { type ConnectedDevnet, connectDevnet } from './connect-devnet.ts'

let devnet: Devnet
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rollbed-test-'))
  devnet = await startDevnet({ enclaves: 0 })
})
afterAll(async () => {
  await devnet?.stop()
  rmSync(folder, { recursive: true })
})

test('given a devnet that runs, when it is found by URL or by file, then its description is the same', async () => {
  const file = join(folder, 'devnet.json')
  writeFileSync(file, JSON.stringify(devnet.description))

  expect((await connectDevnet(devnet.description.rpcUrl)).description).toEqual(devnet.description)
  expect((await connectDevnet(file)).description).toEqual(devnet.description)
  expectTypeOf<Pick<Devnet, 'description' | 'branch'>>().toExtend<ConnectedDevnet>()
})

test('given a branch, when it is disposed of, then it is gone', async () => {
  const { branch } = await connectDevnet(devnet.description.rpcUrl)
  let url: string
  {
    await using earliest = await branch(0)
    url = earliest.rpcUrl
    expect((await connectDevnet(url)).description).toMatchObject({ rpcUrl: url })
  }
  await expect(connectDevnet(url)).rejects.toMatchObject({ code: 'DEVNET_REFUSED' })
  await expect(devnet.branch(1_000_000n)).rejects.toMatchObject({ code: 'DEVNET_REFUSED' })
})

test('given what is no devnet, then the error says what to give', async () => {
  const file = join(folder, 'other.json')
  writeFileSync(file, '{}')
  await expect(connectDevnet(file)).rejects.toMatchObject({ code: 'DESCRIPTION_UNREADABLE' })
  await expect(connectDevnet(join(folder, 'no'))).rejects.toMatchObject({
    code: 'DESCRIPTION_UNREADABLE',
  })
  await expect(connectDevnet('http://127.0.0.1:1')).rejects.toMatchObject({
    code: 'DEVNET_UNREACHABLE',
  })
})
