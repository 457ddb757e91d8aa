import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createJsonRpcServer } from '#devnet/base/json-rpc/create-json-rpc-server'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { systemClock } from '#protocol/clock/system-clock'
import { describesRunning, keepDevnetFile, writeDevnetFile } from './devnet-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollbed-file-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('given a description, then it is of a running devnet while that one answers', async () => {
  const file = join(folder, 'devnet.json')
  expect(await describesRunning(file)).toBe(false)
  const server = createJsonRpcServer({
    methods: { eth_chainId: () => '0x1' },
    clock: systemClock,
  })
  const port = await server.listen({ port: 0 })
  writeDevnetFile(file, { rpcUrl: `http://127.0.0.1:${port}` } as DevnetDescription)
  expect(await describesRunning(file)).toBe(true)
  await server.close()
  expect(await describesRunning(file)).toBe(false)
})

test('given a pipe to write to, then its reader gets the description, and it is still a pipe at the end', async () => {
  const pipe = join(folder, 'pipe')
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe])
  const reader = spawn('cat', [pipe])
  const read = once(reader.stdout, 'data')
  const description = { rpcUrl: 'http://127.0.0.1:1' } as DevnetDescription
  const forget = keepDevnetFile(pipe, { description, workDir: folder, onChange: () => () => {} })
  expect(JSON.parse(String((await read)[0]))).toEqual(description)
  forget()
  expect(lstatSync(pipe).isFIFO()).toBe(true)
})
