import { CaseFailure } from '../case-failure.ts'
import { expectAddress, expectBytes, expectHash, expectQuantity } from './expect-hex.ts'
import { expectArray } from './expect-shape.ts'
import type { FieldForm } from './field-form.ts'

/** A value in the form its field has on the wire (RPC-ENV-12 to -14). @throws CaseFailure */
export function expectForm(value: unknown, form: FieldForm | 'boolean', at: string): void {
  switch (form) {
    case 'quantity':
      expectQuantity(value, at)
      return
    case 'hash':
      expectHash(value, at)
      return
    case 'address':
      expectAddress(value, at)
      return
    case 'bytes':
      expectBytes(value, at)
      return
    case 'nonce':
      expectBytes(value, at, 8)
      return
    case 'bloom':
      expectBytes(value, at, 256)
      return
    case 'list':
      expectArray(value, at)
      return
    case 'boolean':
      if (typeof value !== 'boolean') {
        throw new CaseFailure({ at, expected: 'a boolean', actual: value })
      }
  }
}
