import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { sourceFiles } from './source-files.ts'

/**
 * Folders, with all below them, whose titles follow the grammar of CONTRIBUTING.md. The list grows: who
 * has put the last title of another folder into words adds it here.
 */
const HELD = [
  'devnet/actors',
  'devnet/attribution',
  'devnet/batcher',
  'devnet/contracts',
  'devnet/follower',
  'devnet/journal-audit',
  'devnet/l1',
  'devnet/l2-genesis',
  'devnet/node/chain',
  'devnet/node/sequencer',
  'devnet/node/state',
  'devnet/prover',
  'devnet/rollup-rpc',
  'devnet/safe-head',
  'devnet/start',
  'enclave-sim/protocol/clock',
  'enclave-sim/protocol/derivation',
  'enclave-sim/protocol/execution',
  'enclave-sim/protocol/oracle',
  'enclave-sim/protocol/proof',
  'enclave-sim/protocol/transaction',
  'enclave-sim/protocol/trie',
  'suites/anvil',
  'suites/cadence',
  'suites/evm',
  'suites/execution-apis',
  'suites/prover-host',
  'suites/proving',
  'suites/simulate',
  'suites/soak',
  'suites/state-tests',
  'suites/traces',
]

const TITLE = /\b(?:test|it)(?:\.\w+)*(?:<[^>]*>)?\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/g
/** A table's title stands after its rows; its row may tell the given (%s). */
const TABLE_TITLE = /\]\)\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/g

const titlesOf = (text: string): string[] =>
  [...text.matchAll(TITLE), ...text.matchAll(TABLE_TITLE)].map(([, , title]) => title!)

test('given a folder that holds to the grammar, then each title says given, when or then', () => {
  const files = sourceFiles().filter(({ path }) => path.endsWith('.test.ts'))
  const wrong = HELD.flatMap((folder) => {
    const own = files.filter(({ path }) => `${dirname(path)}/`.startsWith(`${folder}/`))
    expect(own.length, folder).toBeGreaterThan(0)
    return own.flatMap(({ path, text }) =>
      titlesOf(text)
        .filter((title) => !/^(given |when |then |%s)/.test(title))
        .map((title) => `${path}: ${title}`),
    )
  })
  expect(wrong).toEqual([])
})
