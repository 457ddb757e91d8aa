import type { JsonObject, Mutant, RpcCall } from '../mutant.ts'
import { without } from '../rewrites.ts'

type Ask = Parameters<Mutant['apply']>[0]['ask']

/** Changes the first answer that fits once another block is the newest. */
export const firstAfterSeal =
  (
    fits: (call: RpcCall) => boolean,
    change: (response: JsonObject, call: RpcCall, ask: Ask) => JsonObject | Promise<JsonObject>,
  ): Mutant['apply'] =>
  ({ ask }) => {
    let height: unknown
    return {
      async response(response, asked) {
        if (!fits(asked) || !('result' in response)) return response
        const before = height
        height = await ask('eth_blockNumber')
        return before === undefined || before === height ? response : change(response, asked, ask)
      },
    }
  }

/** Milliseconds in which a height that was just named is not known elsewhere. */
const LAG = 100

/** Does not know the newest height for a moment after `latest` has named it. */
export const heightLags =
  (
    method: string,
    heightsIn: (params: readonly unknown[]) => readonly unknown[],
  ): Mutant['apply'] =>
  ({ clock }) => {
    let newest: bigint | undefined
    let since = 0
    return {
      response(response, { method: asked, params }) {
        const { number } = Object(response.result) as JsonObject
        const isLook = asked === 'eth_getBlockByNumber' && params[0] === 'latest'
        if (
          isLook &&
          typeof number === 'string' &&
          (newest === undefined || BigInt(number) > newest)
        )
          [newest, since] = [BigInt(number), clock.now()]
        if (asked !== method || clock.now() - since > LAG) return response
        const heights = heightsIn(params).filter((each) => /^0x[0-9a-f]+$/i.test(String(each)))
        if (!heights.some((each) => BigInt(String(each)) === newest)) return response
        const error = { code: -32001, message: `block not found: ${newest}` }
        return { ...without(response, 'result'), error }
      },
    }
  }
