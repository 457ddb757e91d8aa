import { errorRows } from './error-row.ts'

/** From L1 to L2: numbers from 600 on. */
export const DERIVATION_ERRORS = errorRows({
  BATCH_MALFORMED: {
    number: 601,
    title: 'A batch cannot be read',
    action: 'Look at what wrote it: derivation drops a batch that is malformed.',
  },
  DEPOSIT_LOG_MALFORMED: { number: 602, title: 'A deposit on L1 cannot be read' },
  DEPOSITS_INVALID: {
    number: 603,
    title: 'A block of deposits alone does not execute',
    action: 'Report it: such a block must always execute.',
  },
  DERIVATION_OUT_OF_STEP: {
    number: 604,
    title: 'Derivation was answered out of order',
    action: 'Report it with the log: derivation was driven wrongly.',
  },
  L1_ATTRIBUTES_MALFORMED: {
    number: 605,
    title: 'A block tells nothing readable of L1',
    action: 'Check that the chain has the forks of its configuration.',
  },
  L1_HEADER_MALFORMED: {
    number: 606,
    title: 'Bytes are no L1 header',
    action: 'Check the L1 URL.',
  },
  L1_HEAD_TOO_FAR: { number: 607, title: 'The L1 head is too far from the range' },
  L1_ORIGIN_NOT_CANONICAL: { number: 608, title: 'The L1 origin is of another L1' },
  L1_REORGED: {
    number: 609,
    title: 'L1 dropped blocks that were derived',
    action: 'Derive again, from a block that both have.',
  },
  BLOCK_TIME_INVALID: {
    number: 610,
    title: 'A block says a time that it cannot have',
    action: 'Ask who made the block for its schedule of upgrades: it must be that of this chain.',
  },
})
