/** OP spec, Derivation, "Protocol Parameters": the values since Fjord. */

/** Bytes that a channel's decompressed batches may take; and its compressed size, since Holocene. */
export const MAX_RLP_BYTES_PER_CHANNEL = 100_000_000
/** Blocks, and transactions, that a span batch may hold. */
export const MAX_SPAN_BATCH_ELEMENTS = 10_000_000
