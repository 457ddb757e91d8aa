import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importChain } from './import-chain.ts'

/** `tests` of ethereum/execution-apis. */
const directory = process.env.ROLLBED_EXECUTION_APIS

describe('the test chain of execution-apis', () => {
  test.skipIf(!directory)(
    'given the files in ROLLBED_EXECUTION_APIS, when the chain is imported, then every root is its header’s',
    async () => {
      const report = await importChain(directory!)
      process.stdout.write(`${JSON.stringify(report)}\n`)
      expect(report.differences).toEqual([])
      expect(report.executed).toBeGreaterThan(0)
      const head: unknown = JSON.parse(readFileSync(join(directory!, 'headfcu.json'), 'utf8'))
      expect(head).toMatchObject({ params: [{ headBlockHash: report.head }, null] })
    },
  )
})
