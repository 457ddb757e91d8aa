import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Knock {
  what: string
  method?: string
  /** Flat, name after value, so that a name can come twice. */
  headers: readonly string[]
  body?: string
}

const EVIL = 'https://evil.example'
const UPGRADE = [
  ...['Connection', 'Upgrade', 'Upgrade', 'websocket', 'Sec-WebSocket-Version', '13'],
  ...['Sec-WebSocket-Key', 'AAAAAAAAAAAAAAAAAAAAAA=='],
]
const JSON_BODY = ['Content-Type', 'application/json']
const ORIGIN = ['Origin', EVIL]

/** A call that leaves a trace where it is let in. */
export const VICTIM = `0x${'e1'.repeat(20)}`
const write = (method: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [VICTIM, '0x7'] })

/** What a page of a foreign site can send, by its own name or by one that it bound to this machine. */
export function knocks(port: number): Knock[] {
  const own = ['Host', `127.0.0.1:${port}`]
  const writing = ['anvil_setBalance', 'hardhat_setBalance'].flatMap((method) => [
    {
      what: `${method} of a page`,
      headers: [...own, ...JSON_BODY, ...ORIGIN],
      body: write(method),
    },
    {
      what: `${method} under another name`,
      headers: ['Host', `rebound.example:${port}`, ...JSON_BODY],
      body: write(method),
    },
    {
      what: `${method} under two names`,
      headers: [...own, 'Host', 'rebound.example', ...JSON_BODY],
      body: write(method),
    },
    {
      what: `${method} as plain text, for which no browser asks`,
      headers: [...own, 'Content-Type', 'text/plain'],
      body: write(method),
    },
    {
      what: `${method} of a sandboxed frame, as a form`,
      headers: [...own, 'Origin', 'null', 'Content-Type', 'application/x-www-form-urlencoded'],
      body: write(method),
    },
  ])
  const reading = ['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD'].map((method) => ({
    what: `${method} of a page`,
    method,
    headers: [...own, ...ORIGIN],
  }))
  return [
    ...writing,
    ...reading,
    {
      what: 'preflight of a page',
      method: 'OPTIONS',
      headers: [
        ...[...own, ...ORIGIN, 'Access-Control-Request-Method', 'POST'],
        ...['Access-Control-Request-Private-Network', 'true'],
      ],
    },
    { what: 'WebSocket of a page', method: 'GET', headers: [...own, ...UPGRADE, ...ORIGIN] },
    {
      what: 'WebSocket under another name',
      method: 'GET',
      headers: ['Host', 'rebound.example', ...UPGRADE],
    },
    {
      what: 'WebSocket under two names',
      method: 'GET',
      headers: [...own, 'Host', 'rebound.example', ...UPGRADE],
    },
  ]
}

export interface Answer {
  status: number | undefined
  /** Names of the headers that would let a page read it. */
  grants: string[]
  text: string
}

/** Sends it, and tells how it was answered; by no word at all, too. */
export async function knock(
  host: string,
  port: number,
  { method = 'POST', headers, body }: Knock,
): Promise<Answer> {
  const length = body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(body))]
  const call = request({ host, port, method, agent: false, headers: [...headers, ...length] })
  call.on('upgrade', (_, socket) => socket.destroy())
  call.end(body)
  const [answer] = await Promise.race([once(call, 'response'), once(call, 'upgrade')])
  const upgraded = answer.statusCode === 101
  return {
    status: answer.statusCode,
    grants: Object.keys(answer.headers).filter((name) => name.startsWith('access-control')),
    text: upgraded ? '' : await text(answer),
  }
}

/** Why no TCP connection can be made; undefined where one was. */
export async function refusedBy(host: string, port: number): Promise<string | undefined> {
  const socket = connect(port, host)
  try {
    await once(socket, 'connect')
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  } finally {
    socket.destroy()
  }
}
