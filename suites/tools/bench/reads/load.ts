import { connect, type Socket } from 'node:net'

/** One request again and again: as it goes over the wire, and what to hold its answer against. */
export interface Question {
  method: string
  params: unknown[]
  /** Whether a `result` is right: known from how the chain was made. */
  isRight(result: unknown): boolean
}

export interface LoadOptions {
  url: string
  questions: readonly Question[]
  connections: number
  milliseconds: number
}

/**
 * Asks questions in turn over keep-alive connections, one at a time on each, and checks every answer;
 * one that is the same to the letter as the last to its question is not parsed again.
 * @returns answers per second
 */
export async function load(options: LoadOptions): Promise<number> {
  const { url, questions, connections, milliseconds } = options
  const requests = questions.map(({ method, params }) => wire(method, params))
  const answers: (string | undefined)[] = questions.map(() => undefined)
  const { hostname, port } = new URL(url)
  let asked = 0
  let answered = 0
  let isOver = false
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  const sockets: Socket[] = []
  let open = connections

  const receive = (index: number, body: string) => {
    answered++
    if (answers[index] === body) return
    if (isRightAnswer(questions[index]!, body)) answers[index] = body
    else reject(wrongAnswer(questions[index]!, body))
  }
  const start = performance.now()
  for (let i = 0; i < connections; i++) {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    let question = 0
    const ask = () => {
      question = asked++ % requests.length
      socket.write(requests[question]!)
    }
    const read = messages((body) => {
      receive(question, body)
      if (!isOver) return ask()
      if (--open === 0) resolve()
    })
    socket.setEncoding('latin1')
    socket.on('connect', ask)
    socket.on('data', read)
    socket.on('error', reject)
    sockets.push(socket)
  }
  const timer = setTimeout(() => {
    isOver = true
  }, milliseconds)
  try {
    await ended
    return (1000 * answered) / (performance.now() - start)
  } finally {
    clearTimeout(timer)
    for (const socket of sockets) socket.destroy()
  }
}

function wire(method: string, params: unknown[]): Buffer {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const head = [
    'POST / HTTP/1.1',
    'host: localhost',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Takes a connection's text as it comes; gives each response's body. Only `content-length` is read. */
function messages(give: (body: string) => void): (chunk: string) => void {
  let chunks: string[] = []
  let missing = 0
  return (chunk) => {
    chunks.push(chunk)
    missing -= chunk.length
    if (missing > 0) return
    const text = chunks.length === 1 ? chunk : chunks.join('')
    const head = text.indexOf('\r\n\r\n')
    const length = head < 0 ? undefined : /content-length: *(\d+)/i.exec(text.slice(0, head))?.[1]
    missing = length === undefined ? 0 : head + 4 + Number(length) - text.length
    if (length === undefined || missing > 0) return
    chunks = []
    missing = 0
    give(text.slice(head + 4))
  }
}

function isRightAnswer(question: Question, body: string): boolean {
  const { result, error } = JSON.parse(body)
  return error === undefined && question.isRight(result)
}

function wrongAnswer({ method, params }: Question, body: string): Error {
  const asked = JSON.stringify(params).slice(0, 200)
  return new Error(`A wrong answer to ${method} ${asked}: ${body.slice(0, 400)}`)
}
