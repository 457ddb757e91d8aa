import { chmodSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPublicClient, type Hash, http } from 'viem'
import { expect, test } from 'vitest'
import type { DevnetDescription } from '#devnet/base/options/devnet-description'
import { RollbedProcess, rollbed } from '#suites/system/end-to-end/rollbed-process'

const POOR = `0x${'5d'.repeat(20)}` as const

test('given --open, then the browser of the user gets the address; and the faucet gives by command', async () => {
  const opened = Promise.withResolvers<string>()
  const env: NodeJS.ProcessEnv = {}
  const up = new RollbedProcess(
    ['up', '--json', '--open', '--enclaves', 'none', '--port-base', '0'],
    {
      env,
      prepare(folder) {
        const browser = join(folder, 'browser')
        // Moved into place, so that it is never seen half-written.
        writeFileSync(browser, `#!/bin/sh\necho "$1" > "$0.tmp" && mv "$0.tmp" "$0.url"\n`)
        chmodSync(browser, 0o755)
        env.BROWSER = browser
        const seen = watch(folder, (_event, name) => {
          if (name !== 'browser.url') return
          seen.close()
          opened.resolve(readFileSync(`${browser}.url`, 'utf8').trim())
        })
      },
    },
  )
  try {
    const { dashboardUrl, rpcUrl } = JSON.parse(await up.firstLine()) as DevnetDescription
    expect(await opened.promise).toBe(dashboardUrl)

    const gift = await rollbed(['faucet', POOR, '--amount', '0.5', '--rpc', rpcUrl])
    expect(gift).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^0x\w{64}\n$/) })
    const client = createPublicClient({ transport: http(rpcUrl), pollingInterval: 50 })
    await client.waitForTransactionReceipt({ hash: gift.stdout.trim() as Hash })
    expect(await client.getBalance({ address: POOR, blockTag: 'pending' })).toBe(5n * 10n ** 17n)
  } finally {
    await up.stop()
  }
})

test.each([
  ['an address that is none', ['faucet', '0x12'], 'USAGE'],
  ['an amount that is none', ['faucet', POOR, '--amount', 'much'], 'USAGE'],
  [
    'no folder of artifacts',
    ['up', '--artifacts', 'nowhere', '--enclaves', 'none', '--port-base', '0'],
    'ARTIFACTS_MISSING',
  ],
])('given %s, then one sentence says so', async (_what, args, code) => {
  const { exitCode, stderr } = await rollbed(args)
  expect(exitCode).not.toBe(0)
  expect(stderr).toContain(code)
  expect(stderr).not.toMatch(/\n\s+at /)
})
