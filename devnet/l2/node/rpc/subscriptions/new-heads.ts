import { headerFieldsJson } from '../json/block-json.ts'
import { toQuantity } from '../json/hex.ts'
import type { SubscriptionKind } from './subscription-kind.ts'

/** `newHeads`: the header of each sealed block. */
export const newHeads: SubscriptionKind = ({ chain }, _options, emit) =>
  chain.on('sealed', ({ hash, header }) =>
    emit({ number: toQuantity(header.number), hash, ...headerFieldsJson(header) }),
  )
