import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { RollupConfig } from '#protocol/derivation/rollup-config'
import type { Chains } from '#protocol/proof/run-program'
import type { Hex } from '#protocol/types/bytes'
import type { Schedule, Upgrade } from '#protocol/types/schedule'
import { JOURNAL_ERA_NAMES } from '#protocol/upgrades/upgrade-table'
import { HostConfigInvalid } from './host-config-invalid.ts'

const hex = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`), `must be ${bytes} bytes of hex`)
    .transform((text) => text.toLowerCase() as Hex)
const number = z.number().int().nonnegative()
const blockId = z.object({ hash: hex(32), number })
const zeros = (bytes: number): Hex => `0x${'00'.repeat(bytes)}`

/** Bytes `from` to `to` of a hex string as a number. */
const uint = (value: Hex, from: number, to: number) =>
  BigInt(`0x${value.slice(2 + 2 * from, 2 + 2 * to)}`)

const systemConfig = z
  .object({
    batcherAddr: hex(20),
    scalar: hex(32),
    gasLimit: number,
    eip1559Params: hex(8).default(zeros(8)),
    operatorFeeParams: hex(32).default(zeros(32)),
    minBaseFee: number.default(0),
    daFootprintGasScalar: number.default(0),
  })
  .transform((json) => ({
    batcherAddress: json.batcherAddr,
    gasLimit: BigInt(json.gasLimit),
    scalar: json.scalar,
    eip1559Denominator: Number(uint(json.eip1559Params, 0, 4)),
    eip1559Elasticity: Number(uint(json.eip1559Params, 4, 8)),
    operatorFeeScalar: Number(uint(json.operatorFeeParams, 20, 24)),
    operatorFeeConstant: uint(json.operatorFeeParams, 24, 32),
    minBaseFee: BigInt(json.minBaseFee),
    daFootprintGasScalar: json.daFootprintGasScalar,
  }))

const rollupJson = z
  .object({
    genesis: z.object({
      l1: blockId,
      l2: blockId,
      l2_time: number,
      system_config: systemConfig,
    }),
    block_time: number.positive(),
    seq_window_size: number.positive(),
    l1_chain_id: number,
    l2_chain_id: number,
    isthmus_time: number,
    jovian_time: number.nullish(),
    base: z.object({ azul: number.nullish(), denim: number.nullish() }).optional(),
    /** Ours alone: what journals say of `base`. */
    journal: z.enum(JOURNAL_ERA_NAMES).optional(),
    batch_inbox_address: hex(20),
    deposit_contract_address: hex(20),
    l1_system_config_address: hex(20),
  })
  .transform(
    (json): RollupConfig => ({
      l1ChainId: json.l1_chain_id,
      l2ChainId: json.l2_chain_id,
      fork: json.jovian_time == null ? 'isthmus' : 'jovian',
      ...(json.base && { upgrades: scheduleIn(json.base) }),
      ...(json.journal && { journal: json.journal }),
      genesis: {
        l1: json.genesis.l1,
        l2: json.genesis.l2,
        l2Time: json.genesis.l2_time,
        systemConfig: json.genesis.system_config,
      },
      blockTime: json.block_time,
      // OP spec: constants since Fjord and Granite, whatever the file still says.
      maxSequencerDrift: 1800,
      channelTimeout: 50,
      sequencerWindowSize: json.seq_window_size,
      batchInboxAddress: json.batch_inbox_address,
      depositContractAddress: json.deposit_contract_address,
      l1SystemConfigAddress: json.l1_system_config_address,
    }),
  )

/** 0: from genesis on. */
function scheduleIn(times: Partial<Record<Upgrade, number | null | undefined>>): Schedule {
  const given = Object.entries(times).filter(([, time]) => time != null)
  return Object.fromEntries(given.map(([name, time]) => [name, time === 0 ? 'genesis' : time]))
}

/**
 * Reads a rollup.json, or a list of them: what optimism_rollupConfig answers. Chains are taken to
 * have been on their newest fork (Isthmus or Jovian) for every block that is proven.
 * @throws HostConfigInvalid
 */
export async function readChainFile(path: string): Promise<Chains> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new HostConfigInvalid(`The chain file cannot be read: ${error.message}.`)
  })
  return parseChains(text, path)
}

/**
 * @param name what the text is called in errors
 * @throws HostConfigInvalid
 */
export function parseChains(text: string, name: string): Chains {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new HostConfigInvalid(`${name} is not JSON.`)
  }
  const parsed = z.array(rollupJson).safeParse(Array.isArray(json) ? json : [json])
  if (!parsed.success) {
    const { path = [], message } = parsed.error.issues[0] ?? {}
    throw new HostConfigInvalid(
      `${name} is no rollup.json: ${path.slice(1).join('.')}: ${message}.`,
    )
  }
  return new Map(parsed.data.map((chain) => [BigInt(chain.l2ChainId), chain]))
}
