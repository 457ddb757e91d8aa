import { headerFieldsJson } from '../json/block-json.ts'
import { toQuantity } from '../json/hex.ts'
import type { SubscriptionKind } from './subscription-kind.ts'

/** `newHeads`: the header of each sealed block. */
export const newHeads: SubscriptionKind = (_rpc, _options, emit, on) =>
  on('sealed', ({ hash, header }) =>
    emit({ number: toQuantity(header.number), hash, ...headerFieldsJson(header) }),
  )
