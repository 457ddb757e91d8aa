/** Where an enclave is started: its vsock lies in the folder, and its security module beside that. */
export interface EnclaveBoot {
  folder: string
  env: Readonly<Record<string, string>>
}

/** An enclave that was started. */
export interface BootedEnclave {
  /** Whether it took a connection or ended, or neither in time. */
  state: 'listening' | 'ended' | 'late'
  /** Ids of its processes right now, without those that started them and wait. */
  pids(): Promise<number[]>
  /** Resolves with the exit code when it ended, null after a signal. */
  ended: Promise<number | null>
  /** What it printed so far. */
  output(): string
  kill(): void
}

export type LaunchEnclave = (boot: EnclaveBoot) => Promise<BootedEnclave>

/** Names in the folder of an enclave, as hybrid vsock has them (Firecracker docs/vsock.md). */
export const VSOCK = 'vsock'
/** Guest port 9001: where the guest finds its security module. */
export const SECURITY_MODULE = 'vsock_9001'
