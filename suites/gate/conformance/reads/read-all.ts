import type { JsonRpcClient, RpcReply } from '../wire/json-rpc-client.ts'

/** Asks all questions at once, each by its name. */
export async function readAll<Name extends string>(
  rpc: JsonRpcClient,
  questions: Readonly<Record<Name, readonly [method: string, params: readonly unknown[]]>>,
): Promise<Record<Name, RpcReply>> {
  const asked = Object.entries<readonly [string, readonly unknown[]]>(questions)
  const replies = asked.map(
    async ([name, [method, params]]) => [name, await rpc.call(method, params)] as const,
  )
  return Object.fromEntries(await Promise.all(replies)) as Record<Name, RpcReply>
}
