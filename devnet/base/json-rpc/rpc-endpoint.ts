import { httpRpcClient, type RpcClient } from './http-rpc-client.ts'

/** Where JSON-RPC is asked: a URL, or a client for what is reached otherwise than over HTTP. */
export type RpcEndpoint = string | RpcClient

/** The client itself, or one over HTTP for a URL. */
export function rpcClientOf(endpoint: RpcEndpoint): RpcClient {
  return typeof endpoint === 'string' ? httpRpcClient(endpoint) : endpoint
}
