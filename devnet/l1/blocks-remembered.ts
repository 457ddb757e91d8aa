/** Newest blocks whose transactions and receipts anvil itself has; older ones are in our archive. */
export const BLOCKS_REMEMBERED = 256
