import type { RpcMethod } from './json-rpc-server.ts'

/**
 * Methods of the same names as what they are made from. By a loop: each test has a branch with tables of its own,
 * and `Object.fromEntries` takes three times as long.
 *
 * @example
 * methodsFrom({ one: 1 }, (answer) => () => answer)
 */
export function methodsFrom<T>(
  table: Readonly<Record<string, T>>,
  make: (made: T, name: string) => RpcMethod,
): Record<string, RpcMethod> {
  const methods: Record<string, RpcMethod> = {}
  for (const [name, from] of Object.entries(table)) methods[name] = make(from, name)
  return methods
}
