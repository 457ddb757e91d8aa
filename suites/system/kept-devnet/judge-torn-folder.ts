import { createHash } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import pino from 'pino'
import { devnetSettings } from '#devnet/base/options/devnet-settings'
import { openCodeRegistry } from '#devnet/builder-codes/code-registry'
import { L1Archive } from '#devnet/l1/archive/l1-archive'
import { collectState } from '#devnet/l2/node/state/state-dump'
import { openStateFolder, type StateFolder } from '#devnet/rollup/start/state-folder'
import { bytesToHex } from '#protocol/bytes/bytes-to-hex'
import { keccak256 } from '#protocol/crypto/keccak'
import { RollbedError } from '#protocol/errors/rollbed-error'
import { seededRng } from '#protocol/random/rng'
import type { Address } from '#protocol/types/bytes'
import type { Answers, FoldersToTear } from './make-folders-to-tear.ts'
import type { TornCase } from './torn-case.ts'

/**
 * - unharmed: nothing was said, and all that users were told is there
 * - repaired: it was said what was wrong, in which file, and all that users were told is there
 * - refused: by code, file and what to do, and nothing in the folder was changed
 * - wrong: anything else
 */
export interface TornVerdict {
  outcome: 'unharmed' | 'repaired' | 'refused' | 'wrong'
  /** What was said, or what is wrong. */
  words: string
}

/** Damages a copy, opens it as `rollbed up --state` does, and holds it against what users were told. */
export async function judgeTornFolder(
  folders: FoldersToTear,
  { from, name, damage, isStrangers }: TornCase,
  folder: string,
): Promise<TornVerdict> {
  rmSync(folder, { recursive: true, force: true })
  cpSync(folders[from], folder, { recursive: true })
  const rebuilding = rebuildingOf(join(folders.stopped, 'l1.sqlite'))
  damage(folder)
  const before = contentOf(folder)
  const said: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void said.push(line) })
  const settings = devnetSettings({ state: folder, manual: true, clock: 'manual', enclaves: 0 })
  let kept: StateFolder
  // Root may write whatever the modes say.
  if (isStrangers && process.getuid?.() === 0) process.seteuid?.(NOBODY)
  try {
    kept = await openStateFolder(folder, settings, { rng: seededRng(name), logger })
  } catch (error) {
    becomeAgain()
    return judgeRefusal(error, folder, isDeepStrictEqual(contentOf(folder), before))
  } finally {
    becomeAgain()
    settings.clock.release()
  }
  try {
    const losses = await lossesIn(kept, folders.answers, rebuilding)
    const words = said.map((line) => (JSON.parse(line) as { msg: string }).msg).join(' ')
    if (losses.length > 0) return { outcome: 'wrong', words: losses.slice(0, 3).join('; ') }
    if (words === '') return { outcome: 'unharmed', words }
    return { outcome: words.includes(folder) ? 'repaired' : 'wrong', words }
  } catch (error) {
    return { outcome: 'wrong', words: `started, then: ${(error as Error).message}` }
  } finally {
    await kept.stop()
  }
}

function judgeRefusal(error: unknown, folder: string, isLeft: boolean): TornVerdict {
  const { message } = error as Error
  if (!(error instanceof RollbedError)) return { outcome: 'wrong', words: `no code: ${message}` }
  const { code, hint } = error
  const words = `${code}: ${message}`
  const names = /[\w-]+\.(sqlite|json)|\block\b/.test(message.replaceAll(folder, ''))
  const isRefused = /^STATE_/.test(code) && names && hint !== undefined && isLeft
  return { outcome: isRefused ? 'refused' : 'wrong', words: isLeft ? words : `changed; ${words}` }
}

/** Every file; but for what SQLite makes of a log, which says nothing that the log does not. */
export function contentOf(folder: string): Map<string, string> {
  const names = readdirSync(folder).filter((name) => !/-shm$|^lock/.test(name))
  return new Map(
    names
      .sort()
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ])
      .filter(([name, hash]) => !(name!.endsWith('-wal') && hash === EMPTY)) as [string, string][],
  )
}

const NOBODY = 65_534

function becomeAgain(): void {
  if (process.getuid?.() === 0) process.seteuid?.(0)
}

const EMPTY = createHash('sha256').digest('hex')

async function lossesIn(
  kept: StateFolder,
  answers: Answers,
  rebuilding: unknown,
): Promise<string[]> {
  const losses: string[] = []
  const expect = (is: unknown, was: unknown, what: string) =>
    isDeepStrictEqual(is, was) || losses.push(what)
  const { description } = answers
  expect(kept.begun?.contracts, description.contracts, 'the contracts')
  expect(kept.begun?.config.l2ChainId, description.chainId, 'the chain id')
  expect(kept.begun?.config.l1ChainId, description.l1ChainId, 'the chain id of L1')
  expect(kept.begun?.config.depositContractAddress, description.contracts.optimismPortal, 'portal')
  expect(kept.begun?.config.sequencerWindowSize, 3_600, 'the sequencing window')
  expect(
    kept.l2.blocks.newest?.header.number,
    BigInt(answers.l2.length - 1),
    'the number of blocks',
  )
  for (const [number, { hash, transactions, receipts }] of answers.l2.entries()) {
    const block = kept.l2.blocks.byNumber(BigInt(number))
    const short = block?.receipts.map(({ status, gasUsed, logs }) => ({
      status: `0x${Number(status)}`,
      gasUsed: `0x${gasUsed.toString(16)}`,
      logs: logs.length,
    }))
    expect(block?.hash, hash, `L2 block ${number}`)
    expect(
      block?.transactions.map((one) => one.hash),
      transactions,
      `what is in L2 block ${number}`,
    )
    expect(short, receipts, `receipts of L2 block ${number}`)
    expect(kept.l2.blocks.byHash(hash)?.hash, hash, `L2 block ${hash}`)
    for (const [index, one] of transactions.entries()) {
      const found = kept.l2.blocks.findTransaction(one)
      expect([found?.block.hash, found?.index], [hash, index], `L2 transaction ${one}`)
    }
    if (!block) continue
    const chainId = BigInt(description.chainId)
    const { values } = collectState(kept.l2.store, chainId, block.header.stateRoot)
    for (const { hash: key, value } of values)
      expect(bytesToHex(keccak256(value)), key, `state of L2 block ${number}`)
  }
  const archive = new L1Archive({ record: kept.l1 })
  expect(archive.newest, answers.l1.length - 1, 'the number of L1 blocks')
  for (const [number, { hash, transactions }] of answers.l1.entries()) {
    expect(archive.hashAt(number), hash, `L1 block ${number}`)
    const body = (await archive.block(hash))?.block.transactions.map((one) => one.hash) ?? []
    expect(body, transactions, `what is in L1 block ${number}`)
    for (const [position, one] of transactions.entries())
      expect({ ...archive.place(one) }, { number, position }, `L1 transaction ${one}`)
  }
  expect(readRebuilding(kept.l1.kept.sql), rebuilding, 'what L1 is built of')
  const codes = openCodeRegistry(kept.builderCodes.open(), seededRng('new'))
  for (const [wallet, code] of answers.codes) {
    const { builderCode, created } = codes.register(wallet as Address)
    expect([builderCode, created], [code, false], `code of ${wallet}`)
    expect(codes.walletOf(code)?.toLowerCase(), wallet, `wallet of ${code}`)
  }
  codes.close()
  return losses
}

/** What a new anvil is made of: read before anything was damaged. */
function rebuildingOf(path: string): unknown {
  const sql = new DatabaseSync(path, { readOnly: true })
  const all = readRebuilding(sql)
  sql.close()
  return all
}

function readRebuilding(sql: DatabaseSync): unknown {
  const dump = sql.prepare('SELECT number, state FROM dump').all()
  const mined = sql.prepare('SELECT number, hash, timestamp, raws FROM mined ORDER BY number').all()
  const head = sql.prepare('SELECT timestamp, clock FROM head').all()
  return [dump, mined, head].map((rows) => rows.map((row) => Object.values(row)))
}
