import { RollbedError } from '#protocol/errors/rollbed-error'

/** Where an enclave listens: a real AF_VSOCK address, or a hybrid UNIX socket in front of one. */
export type Endpoint =
  | { kind: 'unix'; path: string; port: number }
  | { kind: 'vsock'; cid: number; port: number }

/** The port every enclave listens on (ENC-PROTO-08). */
export const ENCLAVE_PORT = 8000

const UINT32_MAX = 0xffffffff
/** `sun_path` without its final zero byte. Source: unix(7). */
export const SOCKET_PATH_MAX = 107

/**
 * Reads `unix:PATH:PORT` or `vsock:CID:PORT`.
 * @throws EndpointInvalid
 * @example parseEndpoint('vsock:16:8000') // { kind: 'vsock', cid: 16, port: 8000 }
 */
export function parseEndpoint(text: string): Endpoint {
  const [, kind, address = '', digits] = /^(unix|vsock):(.+):(\d{1,10})$/.exec(text) ?? []
  const port = Number(digits)
  if (!kind || port > UINT32_MAX) throw new EndpointInvalid(text)
  if (kind === 'unix') {
    if (Buffer.byteLength(address) > SOCKET_PATH_MAX) throw new EndpointInvalid(text)
    return { kind, path: address, port }
  }
  if (!/^\d{1,10}$/.test(address) || Number(address) > UINT32_MAX) throw new EndpointInvalid(text)
  return { kind: 'vsock', cid: Number(address), port }
}

/** The inverse of `parseEndpoint`. */
export function formatEndpoint(endpoint: Endpoint): string {
  return endpoint.kind === 'unix'
    ? `unix:${endpoint.path}:${endpoint.port}`
    : `vsock:${endpoint.cid}:${endpoint.port}`
}

export class EndpointInvalid extends RollbedError {
  constructor(text: string) {
    super('ENDPOINT_INVALID', `${JSON.stringify(text)} is not an enclave endpoint.`, {
      hint: 'Write unix:PATH:PORT with a path of at most 107 bytes, or vsock:CID:PORT.',
    })
  }
}
