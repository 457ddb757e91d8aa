import { PLACED, placedAddress } from '../probes/probe-code.ts'
import type { JsonRpcClient } from '../wire/json-rpc-client.ts'

const WORD = '0x0badcafe'

/** Whether eth_call finds code that its third parameter puts in place. */
export async function takesOverrides(rpc: JsonRpcClient): Promise<boolean> {
  const call = { to: placedAddress('echo'), data: WORD }
  return (await rpc.call('eth_call', [call, 'latest', PLACED])).body.result === WORD
}
