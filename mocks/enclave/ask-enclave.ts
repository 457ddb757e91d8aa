import type { Clock } from '../../enclave-sim/protocol/clock/clock.ts'
import { connect } from '../../enclave-sim/vsock/connect.ts'
import { parseEndpoint } from '../../enclave-sim/vsock/endpoint.ts'
import { readFrame, writeFrame } from '../../enclave-sim/wire/frame.ts'

/** One request to a real enclave; undefined when it drops the connection. */
export async function askEnclave(
  endpoint: string,
  payload: Uint8Array,
  clock: Clock,
): Promise<Uint8Array | undefined> {
  const stream = await connect(parseEndpoint(endpoint), { clock })
  try {
    await writeFrame(stream, payload)
    return await readFrame(stream, { clock })
  } catch {
    return undefined
  } finally {
    stream.on('error', () => undefined).destroy()
  }
}
