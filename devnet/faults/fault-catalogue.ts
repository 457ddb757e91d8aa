import { z } from 'zod'

/** What a fault can be put on; the part of a target's name before the colon. */
export const TARGET_KINDS = [
  'link',
  'process',
  'worker',
  'disk',
  'chain',
  'clock',
  'enclave',
  'registry',
] as const
export type TargetKind = (typeof TARGET_KINDS)[number]

export interface FaultKind {
  on: readonly TargetKind[]
  /** One sentence: what happens while it lasts. */
  says: string
  /** What it can be told; every member has a default. */
  with: z.ZodObject
  /** It happens at one moment: there is nothing to clear. */
  isMoment?: true
}

const duration = (standard: number, says: string) =>
  z
    .number()
    .min(0)
    .max(7 * 86_400_000)
    .default(standard)
    .describe(`${says}; milliseconds`)
const share = (standard: number, says: string) =>
  z.number().min(0).max(1).default(standard).describe(says)
const count = (standard: number, min: number, max: number, says: string) =>
  z.int().min(min).max(max).default(standard).describe(says)
const nothing = z.strictObject({})

const onLink = <Shape extends z.ZodRawShape>(says: string, parameters: Shape) => ({
  on: ['link'] as const,
  says,
  with: z.strictObject({
    direction: z
      .enum(['upstream', 'downstream', 'both'])
      .default('both')
      .describe('upstream: what the client sends'),
    toxicity: share(1, 'the share of connections that it befalls'),
    ...parameters,
  }),
})

/**
 * Every fault by name. Those of links are toxiproxy's, with its words, and five more (down, corrupt,
 * reorder, duplicate, half_open).
 */
export const FAULTS = {
  latency: onLink('What is sent arrives later.', {
    latency: duration(100, 'how much later'),
    jitter: duration(0, 'at most so much more or less'),
  }),
  bandwidth: onLink('Little passes in a second.', {
    rate: count(16, 1, 1_000_000, 'kilobytes (1,000 bytes) a second'),
  }),
  slow_close: onLink('The end of a connection is told later.', {
    delay: duration(1000, 'how much later'),
  }),
  timeout: onLink('Nothing passes, and then the connection is closed.', {
    timeout: duration(1000, 'until it is closed; 0: only once the fault is over'),
  }),
  reset_peer: onLink('The connection is reset.', {
    timeout: duration(0, 'how long it lives'),
  }),
  slicer: onLink('What is sent arrives in small pieces.', {
    average_size: count(64, 1, 1_000_000, 'bytes of a piece'),
    size_variation: count(0, 0, 1_000_000, 'at most so many bytes more or less'),
    delay: duration(0, 'between two pieces'),
  }),
  limit_data: onLink(
    'The connection is closed once so much has passed: in the middle of a message.',
    {
      bytes: count(512, 0, 1_000_000_000, 'that still pass'),
    },
  ),
  down: onLink('Nobody is there: connections are reset, new ones refused.', {}),
  corrupt: onLink('Single bits are turned over.', { share: share(0.1, 'of all chunks') }),
  reorder: onLink('A chunk overtakes the one before it.', {
    share: share(0.2, 'of all chunks'),
    delay: duration(50, 'for which a chunk is held back'),
  }),
  duplicate: onLink('A chunk arrives twice.', { share: share(0.1, 'of all chunks') }),
  half_open: onLink(
    'The other side is gone and nobody says so: what is sent is lost in silence.',
    {},
  ),

  kill: {
    on: ['process', 'worker'],
    says: 'It ends at once, with all that it had not stored (SIGKILL).',
    with: nothing,
    isMoment: true,
  },
  stop: {
    on: ['process', 'worker'],
    says: 'It stands still (SIGSTOP), then goes on.',
    with: nothing,
  },
  restart: {
    on: ['process'],
    says: 'It ends and is started again.',
    with: nothing,
    isMoment: true,
  },
  slow_start: {
    on: ['process'],
    says: 'It is killed, and comes back late.',
    with: z.strictObject({ delay: duration(5_000, 'until it is started again') }),
    isMoment: true,
  },

  full: { on: ['disk'], says: 'There is no room for anything new.', with: nothing },
  read_only: { on: ['disk'], says: 'Nothing may be written.', with: nothing },
  torn_write: {
    on: ['disk'],
    says: 'Its owner is killed, and the last write, which nobody was told of, is there by half.',
    with: nothing,
    isMoment: true,
  },
  power_off: {
    on: ['disk'],
    says: 'Its owner ends with the power, and of what the disk was not told to finish any part is there.',
    with: nothing,
    isMoment: true,
  },
  flipped: {
    on: ['disk'],
    says: 'Its owner is killed, and one bit of its files is another, until they are put back.',
    with: nothing,
  },
  misdirected: {
    on: ['disk'],
    says: 'Its owner is killed, and a page of its file was written over another, until it is put back.',
    with: nothing,
  },
  lost_write: {
    on: ['disk'],
    says: 'Its owner is killed, and a page is as it was before its last write, until it is put back.',
    with: nothing,
  },
  slow: {
    on: ['disk', 'registry'],
    says: 'Every access takes longer.',
    with: z.strictObject({ delay: duration(500, 'how much longer') }),
  },

  reorg: {
    on: ['chain'],
    says: 'The newest blocks are replaced by others.',
    with: z.strictObject({
      depth: count(1, 1, 16, 'blocks; past finality too'),
      keep: z.boolean().default(true).describe('whether their transactions come again'),
    }),
    isMoment: true,
  },
  still: { on: ['chain'], says: 'No new block is made.', with: nothing },
  gas_spike: {
    on: ['chain'],
    says: 'The base fee is high.',
    with: z.strictObject({ gwei: count(500, 1, 1_000_000, 'of the base fee') }),
  },
  batcher_silent: { on: ['chain'], says: 'L2 posts no batches.', with: nothing },
  window_expired: {
    on: ['chain'],
    says: 'L2 posts no batches for longer than L1 waits for them: L1 fills in empty blocks.',
    with: nothing,
  },
  wrong_blob: {
    on: ['chain'],
    says: 'The beacon API hands out another blob than was posted.',
    with: nothing,
  },

  skew: {
    on: ['clock'],
    says: 'It goes wrong by this much, until cleared.',
    with: z.strictObject({ by: z.int().default(30_000).describe('milliseconds; below 0: late') }),
  },
  jump: {
    on: ['clock'],
    says: 'It jumps once.',
    with: z.strictObject({ by: z.int().default(60_000).describe('milliseconds; below 0: back') }),
    isMoment: true,
  },

  crash_in_proof: { on: ['enclave'], says: 'It dies while it proves.', with: nothing },
  wrong_kind: {
    on: ['enclave'],
    says: 'It answers with a message of another kind.',
    with: nothing,
  },
  garbage: { on: ['enclave'], says: 'It answers with bytes that are no message.', with: nothing },
  long_frame: {
    on: ['enclave'],
    says: 'It announces a frame longer than the limit.',
    with: nothing,
  },
  new_key: {
    on: ['enclave'],
    says: 'It is restarted and has a new key.',
    with: nothing,
    isMoment: true,
  },
  short_pcr0: { on: ['enclave'], says: 'It attests a PCR0 of the wrong length.', with: nothing },
  expired_attestation: {
    on: ['enclave'],
    says: 'Its attestations are older than the registrar takes.',
    with: nothing,
  },
  foreign_root: {
    on: ['enclave'],
    says: "Its attestations lead to another root than the hypervisor's.",
    with: nothing,
  },
  old_image: {
    on: ['enclave'],
    says: 'It runs the image of the first day, which knows of no upgrade that came since.',
    with: nothing,
  },

  silent: { on: ['registry'], says: 'It does not answer.', with: nothing },
  lying: { on: ['registry'], says: 'It says no to what is true.', with: nothing },
  reorged: {
    on: ['registry'],
    says: 'A reorganisation of L1 takes the registrations back.',
    with: nothing,
    isMoment: true,
  },
} as const satisfies Record<string, FaultKind>

export type FaultName = keyof typeof FAULTS
/** What each fault is told, with every default filled in. */
export type FaultParameters = { [Name in FaultName]: z.infer<(typeof FAULTS)[Name]['with']> }
/** The faults that can be put on a kind of target. */
export type FaultOn<Kind extends TargetKind> = {
  [Name in FaultName]: Kind extends (typeof FAULTS)[Name]['on'][number] ? Name : never
}[FaultName]

export const FAULT_NAMES = Object.keys(FAULTS) as [FaultName, ...FaultName[]]

/** The faults that can be put on a kind of target. */
export function faultsOn<Kind extends TargetKind>(kind: Kind): FaultOn<Kind>[] {
  const isOn = (name: FaultName): name is FaultOn<Kind> => KINDS[name].on.includes(kind)
  return FAULT_NAMES.filter(isOn)
}

const KINDS: Readonly<Record<FaultName, FaultKind>> = FAULTS
const SCHEMAS: { [Name in FaultName]: { with: z.ZodType<FaultParameters[Name]> } } = FAULTS

/** The schema of what a fault is told. */
export function schemaOf<Name extends FaultName>(fault: Name): z.ZodType<FaultParameters[Name]> {
  return SCHEMAS[fault].with
}
