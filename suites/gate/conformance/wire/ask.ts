import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

interface Question {
  method: string
  headers: Record<string, string>
  /** Sent to the origin of the URL alone, such as keys: a redirection may lead to somebody else. */
  keys?: Readonly<Record<string, string>> | undefined
  body?: string | undefined
  pieces?: Pieces | undefined
  /** Bytes of an answer, once it is decoded. Default: 256 MB. */
  most?: number
  signal: AbortSignal
}

/** A body that goes out in two pieces. */
export interface Pieces {
  /** Bytes of the first one. */
  cutAt: number
  /** Comes to its end some time after the first. */
  pause: () => Promise<void>
  /** Each piece is a chunk, with its length before it, as who does not know the whole length sends it. Default: no. */
  isChunked?: boolean
}

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  /** @throws where the connection breaks off within the body, it is not coded as its header says, or is too long */
  text(): Promise<string>
}

/** Those that keep method and body (RFC 9110, 15.4.8 and 15.4.9). */
const REDIRECTIONS = new Set([307, 308])
const MOST_REDIRECTIONS = 5
/** Many times the largest witness. */
export const MOST_BYTES = 256 * 1024 * 1024

/**
 * One HTTP request, with nothing sent again. `fetch` would take several times the CPU: a gate that looks all the
 * time needs that for its judgement, and the node beside it for its answers.
 * @throws where no answer comes, with the `code` of the connection
 * @example
 * const { status } = await ask(url, { method: 'POST', headers: {}, body: '[]', signal })
 */
export async function ask(url: string, question: Question): Promise<Answer> {
  const { keys, most = MOST_BYTES } = question
  const { origin } = new URL(url)
  for (let redirections = 0; ; redirections++) {
    const own = new URL(url).origin === origin ? keys : {}
    const response = await send(url, { ...question, headers: { ...own, ...question.headers } })
    const { statusCode: status = 0, headers } = response
    const isElsewhere = headers.location !== undefined && REDIRECTIONS.has(status)
    if (!isElsewhere || redirections === MOST_REDIRECTIONS)
      return { status, headers, text: () => textOf(decoded(response), most) }
    response.resume()
    url = new URL(headers.location!, url).href
  }
}

function send(
  url: string,
  { body, pieces, method, headers, signal }: Question,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const open = url.startsWith('https:') ? httpsRequest : httpRequest
    const request = open(url, { method, headers, signal })
    request.on('error', reject).on('response', resolve)
    if (body !== undefined && !pieces?.isChunked)
      request.setHeader('content-length', Buffer.byteLength(body))
    if (body === undefined || !pieces) return request.end(body)
    const bytes = Buffer.from(body)
    request.write(bytes.subarray(0, pieces.cutAt))
    pieces.pause().then(() => request.end(bytes.subarray(pieces.cutAt)), reject)
  })
}

async function textOf(body: Readable, most: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // Whoever leaves the loop ends the stream, and with it the connection.
    if (bytes > most) throw new Error(`The answer has more than ${most} bytes.`)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** Only who asks for a coding gets one. */
function decoded(response: IncomingMessage): Readable {
  const coding = response.headers['content-encoding']
  const decoders = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress }
  const make = decoders[coding as keyof typeof decoders]
  if (!make) return response
  const plain = make()
  response.on('error', (error) => plain.destroy(error)).pipe(plain)
  return plain.on('close', () => response.destroy())
}
