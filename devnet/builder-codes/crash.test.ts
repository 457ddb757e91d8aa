import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { randomInt, seededRng } from '#protocol/random/rng'
import { type Answer, ApiProcess } from './testing/api-process.ts'

const ROUNDS = 8
const CONCURRENCY = 6
const SEED = Number(process.env.ROLLBED_SEED ?? 12)

const wallet = (index: number) => `0x${(0x1000 + index).toString(16).padStart(40, '0')}`

let directory: string
let path: string
let processes: ApiProcess[]
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rollbed-crash-'))
  path = join(directory, 'codes.sqlite')
  processes = []
})
afterEach(async () => {
  await Promise.all(processes.map((api) => api.kill()))
  await rm(directory, { recursive: true })
})

function start(seed: string): ApiProcess {
  const api = new ApiProcess(path, seed)
  processes.push(api)
  return api
}

function rows(): { wallet: string; code: string }[] {
  const database = new DatabaseSync(path)
  try {
    expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    return database.prepare('SELECT wallet, code FROM registration').all() as never
  } finally {
    database.close()
  }
}

/**
 * Registers new and known wallets from several callers at once and kills the service when it has
 * answered `answersUntilKill` times, with the other calls in flight.
 */
async function registerUntilKilled(
  api: ApiProcess,
  answersUntilKill: number,
  wallets: () => string,
  onAnswer: (wallet: string, answer: Answer) => void,
): Promise<number> {
  let answers = 0
  let unanswered = 0
  const caller = async () => {
    for (;;) {
      const address = wallets()
      const answer = await api.register(address).catch(() => undefined)
      if (!answer) {
        unanswered += 1
        return
      }
      onAnswer(address, answer)
      answers += 1
      if (answers === answersUntilKill) void api.kill()
    }
  }
  await api.ready()
  await Promise.all(Array.from({ length: CONCURRENCY }, caller))
  return unanswered
}

describe('given a service that is killed again and again', () => {
  test(`then no answered registration is lost or changed (BC-12; seed ${SEED})`, async () => {
    const rng = seededRng(SEED)
    const answered = new Map<string, string>()
    const created = new Set<string>()
    let unanswered = 0
    let next = 0
    const anyWallet = () => wallet(randomInt(rng, 3) === 0 ? randomInt(rng, next + 1) : next++)
    for (let round = 0; round < ROUNDS; round++) {
      // Every process draws the same codes again, so that codes collide with stored ones.
      const api = start('always the same')
      const kill = 1 + randomInt(rng, 60)
      const before = new Set(answered.keys())
      unanswered += await registerUntilKilled(api, kill, anyWallet, (address, answer) => {
        expect(answer.builderCode).toBe(answered.get(address) ?? answer.builderCode)
        // Answers to two callers of one round may cross: the second caller's 200 comes first.
        if (before.has(address)) expect(answer.status).toBe(200)
        if (answer.status === 201) {
          expect(created).not.toContain(address)
          created.add(address)
        }
        answered.set(address, answer.builderCode)
      })
      const stored = new Map(rows().map(({ wallet, code }) => [wallet, code]))
      for (const [address, code] of answered) expect(stored.get(address)).toBe(code)
      expect(new Set(stored.values()).size).toBe(stored.size)
    }
    expect(unanswered).toBe(ROUNDS * CONCURRENCY)
    expect(answered.size).toBeGreaterThan(ROUNDS)
  })
})

describe('given two services on one file', () => {
  test('then both answer a wallet with one code, and one of them made it (BC-11)', async () => {
    const [left, right] = [start('left'), start('right')]
    const both = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        Promise.all([left.register(wallet(index)), right.register(wallet(index))]),
      ),
    )
    for (const [a, b] of both) {
      expect(a.builderCode).toBe(b.builderCode)
      expect([a.status, b.status].sort()).toEqual([200, 201])
    }
    expect(rows()).toHaveLength(60)
  })
})
