import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { httpRpcClient, RpcRefused } from './http-rpc-client.ts'

let server: Server | undefined

afterEach(async () => {
  server?.closeAllConnections()
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)))
  server = undefined
})

async function serve(listener: RequestListener): Promise<string> {
  const listening = createServer(listener)
  server = listening
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}/v2/secret`
}

describe('httpRpcClient', () => {
  it('given a node, when called, then it gets the envelope and the result comes back', async () => {
    const bodies: unknown[] = []
    const url = await serve(async (request, response) => {
      bodies.push(JSON.parse(Buffer.concat(await request.toArray()).toString()))
      response.end('{"jsonrpc":"2.0","id":1,"result":null}')
    })
    expect(await httpRpcClient(url).request('eth_x', ['é', 1])).toBeNull()
    expect(bodies).toEqual([{ jsonrpc: '2.0', id: 1, method: 'eth_x', params: ['é', 1] }])
  })

  it('given an error answer, when called, then it is RpcRefused with its code', async () => {
    const url = await serve((_, response) => {
      response.end('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such thing"}}')
    })
    const error = await httpRpcClient(url)
      .request('eth_x', [])
      .catch((caught) => caught)
    expect(error).toBeInstanceOf(RpcRefused)
    expect(error).toMatchObject({ rpcCode: -32601, message: 'eth_x: no such thing' })
  })

  it.each([
    ['HTML', '<html>', 'HTTP 502 without JSON'],
    ['a bare string', '"no"', 'not JSON-RPC'],
    ['no result', '{}', 'not JSON-RPC'],
  ])(
    'given %s, when called, then RPC_UNREACHABLE, and no path that may hold a key',
    async (_, body, why) => {
      const url = await serve((_request, response) => response.writeHead(502).end(body))
      const error = await httpRpcClient(url)
        .request('eth_x', [])
        .catch((caught) => caught)
      expect(error).toMatchObject({
        code: 'RPC_UNREACHABLE',
        message: expect.stringContaining(why),
      })
      expect(String(error)).not.toContain('secret')
    },
  )

  it('given nobody at the port, when called, then the reason is named', async () => {
    await expect(httpRpcClient('http://127.0.0.1:1').request('eth_x', [])).rejects.toThrow(
      'No JSON-RPC answer from http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1.',
    )
  })

  it('given a call without an answer, when its signal is aborted, then it ends with that reason', async () => {
    const abort = new AbortController()
    const url = await serve(() => abort.abort(new Error('took too long')))
    await expect(httpRpcClient(url).request('eth_x', [], abort.signal)).rejects.toThrow(
      'took too long',
    )
  })

  it('given a connection that the server closes while it is idle, when used, then the request is sent again', async () => {
    const connections = new Set<unknown>()
    const url = await serve((request, response) => {
      const second = connections.size === 1 && connections.has(request.socket)
      connections.add(request.socket)
      if (second) return request.socket.resetAndDestroy()
      response.end('{"jsonrpc":"2.0","id":1,"result":true}')
    })
    const client = httpRpcClient(url)
    await client.request('eth_x', [])
    expect(await client.request('eth_x', [])).toBe(true)
    expect(connections.size).toBe(2)
  })

  it('given a server that resets each new connection, when called, then it is unreachable at once', async () => {
    const url = await serve((request) => request.socket.resetAndDestroy())
    await expect(httpRpcClient(url).request('eth_x', [])).rejects.toMatchObject({
      code: 'RPC_UNREACHABLE',
    })
  })
})
