import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Hex } from '#protocol/types/bytes'
import { importChain } from './import-chain.ts'
import { encodeSampleChain, makeSampleChain, type SampleChain } from './make-sample-chain.ts'

/** `tests` of ethereum/execution-apis. */
const directory = process.env.ROLLBED_EXECUTION_APIS

const chain = await makeSampleChain()

describe('a block that anvil made', () => {
  const importSample = async (header: Partial<SampleChain['header']> = {}) => {
    const files = mkdtempSync(join(tmpdir(), 'rollbed-execution-apis-'))
    onTestFinished(() => rmSync(files, { recursive: true, force: true }))
    writeFileSync(join(files, 'genesis.json'), JSON.stringify(chain.genesis))
    const altered = { ...chain, header: { ...chain.header, ...header } }
    writeFileSync(join(files, 'chain.rlp'), encodeSampleChain(altered))
    return (await importChain(files)).report
  }

  test('given its files, when they are imported, then every root is its header’s', async () => {
    expect(await importSample()).toMatchObject({
      early: 0,
      executed: 1,
      transactions: { 0: 1, 1: 1, 2: 2, 4: 1 },
      differences: [],
    })
  })

  test.each(['stateRoot', 'transactionsRoot', 'receiptsRoot', 'gasUsed', 'requestsHash'] as const)(
    'given a header with another %s, when it is imported, then that is the difference',
    async (field) => {
      const wrong: Hex = field === 'gasUsed' ? '0x5208' : `0x${'11'.repeat(32)}`
      const { executed, differences } = await importSample({ [field]: wrong })
      expect(executed).toBe(0)
      expect(differences).toEqual([expect.stringContaining(`block 1: ${field} `)])
    },
  )
})

describe('the test chain of execution-apis', () => {
  test.skipIf(!directory)(
    'given the files in ROLLBED_EXECUTION_APIS, when the chain is imported, then every root is its header’s',
    async () => {
      const { report } = await importChain(directory!)
      process.stdout.write(`${JSON.stringify(report)}\n`)
      expect(report.differences).toEqual([])
      expect(report.executed).toBeGreaterThan(0)
      const head: unknown = JSON.parse(readFileSync(join(directory!, 'headfcu.json'), 'utf8'))
      expect(head).toMatchObject({ params: [{ headBlockHash: report.head }, null] })
    },
  )
})
