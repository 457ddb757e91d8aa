import { outputRoot } from '../drivers/provable-range.ts'
import { expectHash } from '../matchers/expect-hex.ts'
import type { JsonObject } from '../matchers/expect-shape.ts'
import type { Hex } from '../wire/hex.ts'

/** The output root of a block, from its header. @throws CaseFailure */
export function outputRootOf(block: JsonObject): Hex {
  const [hash, stateRoot, withdrawalsRoot] = ['hash', 'stateRoot', 'withdrawalsRoot'].map((name) =>
    expectHash(block[name], name),
  ) as [Hex, Hex, Hex]
  return outputRoot({ hash, stateRoot, withdrawalsRoot })
}
