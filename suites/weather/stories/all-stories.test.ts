import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FAULT_TARGETS } from '#devnet/faults/fault-targets'
import { loadCatalogue } from '#fixtures/rules/catalogue'
import { allStories } from './all-stories.ts'

test('given the list, then it has at least 60 stories, 25 of which can be played for real, each by its own name', () => {
  expect(new Set(allStories.map(({ name }) => name)).size).toBe(allStories.length)
  expect(allStories.length).toBeGreaterThanOrEqual(60)
  expect(allStories.filter(({ bodies }) => bodies.includes('real')).length).toBeGreaterThanOrEqual(
    25,
  )
})

test('given a rule that is named, then it is in the catalogue', () => {
  const known = new Set(loadCatalogue().rules.map(({ id }) => id))
  expect(allStories.flatMap(({ rules }) => rules).filter((id) => !known.has(id))).toEqual([])
})

test('given any link, then it is down, slow and cut in a story', () => {
  const links = Object.keys(FAULT_TARGETS)
    .map((name) => name.replace('*', '16'))
    .filter((name) => name.startsWith('link:'))
  for (const fault of ['down', 'latency', 'limit_data']) {
    const befallen = allStories.flatMap(({ plan }) =>
      plan.faults.filter((each) => each.fault === fault).map(({ target }) => target),
    )
    expect(links.filter((link) => !befallen.includes(link))).toEqual([])
  }
})

test('given a fault, then it is over before its story is', () => {
  const late = allStories.filter(({ plan }) =>
    plan.faults.some(({ at = 0, until = at }) => Math.max(at, until) >= plan.duration),
  )
  expect(late.map(({ name }) => name)).toEqual([])
})

/** Who and what stands in the drawing of ARCHITECTURE.md, and the links that lead to or from it. */
const DRAWN: Readonly<Record<string, readonly string[]>> = {
  dapp: ['client-l2', 'client-api'],
  'test suite': ['client-l2', 'client-l1', 'subscriber'],
  'conformance gate': ['client-l2', 'client-api', 'actor-host'],
  proposer: ['actor-host', 'actor-rollup', 'actor-l1'],
  challenger: ['actor-host', 'actor-l1'],
  'JSON-RPC + WebSocket': ['client-l2', 'subscriber'],
  HTTP: ['client-api'],
  'JSON-RPC': ['actor-host'],
  'devnet/l2/node': ['node-l1', 'safe-head-l1'],
  // Its name goes over two lines.
  'devnet/builder-': ['client-api'],
  'devnet/proving/prover': ['host-l1', 'host-l2', 'host-beacon', 'host-registry'],
  'devnet/proving/enclaves': ['host-enclave.*'],
  frames: ['host-enclave.*'],
  'hybrid vsock': ['host-enclave.*'],
  'devnet/l2/batcher': ['batcher-l1'],
  'L1 inbox': ['batcher-l1'],
  'devnet/l1': ['client-l1', 'node-l1', 'batcher-l1', 'host-l1', 'actor-l1'],
  'devnet/l1/contracts': ['host-registry', 'actor-l1'],
  'enclave-sim': ['host-enclave.*'],
}

test('given the drawing of the architecture, then all that stands in it has links, and all links are of something in it', () => {
  const [, drawing = ''] = readFileSync('ARCHITECTURE.md', 'utf8').split('```')
  const missing = Object.keys(DRAWN).filter((name) => !drawing.includes(name.split('/').at(-1)!))
  expect(missing).toEqual([])
  const rooms = drawing.match(/(?:devnet\/[a-z0-9-]*[a-z0-9]|enclave-sim)/g) ?? []
  expect(rooms.filter((room) => !Object.keys(DRAWN).some((name) => name.startsWith(room)))).toEqual(
    [],
  )
  const drawn = new Set(Object.values(DRAWN).flat())
  const links = Object.keys(FAULT_TARGETS).filter((name) => name.startsWith('link:'))
  expect([...drawn].map((name) => `link:${name}`).sort()).toEqual(links.sort())
})
