import { headerFieldsJson } from '../json/block-json.ts'
import { toQuantity } from '../json/hex.ts'
import { blockMillisecondsJson } from '../json/milliseconds-json.ts'
import type { SubscriptionKind } from './subscription-kind.ts'

/** `newHeads`: the header of each sealed block, since Denim with its milliseconds. */
export const newHeads: SubscriptionKind = (_rpc, _options, emit, on) =>
  on('sealed', (block) => {
    const { hash, header } = block
    const number = toQuantity(header.number)
    emit({ number, hash, ...headerFieldsJson(header), ...blockMillisecondsJson(block) })
  })
