/**
 * What is judged. Only the areas whose target is given run. Each is a flag of `rollbed conform`, in
 * kebab case.
 */
export interface Targets {
  /** JSON-RPC URL of the node. */
  rpc?: string
  /** JSON-RPC URL of a node configured as test network. */
  rpcTestnet?: string
  /** JSON-RPC URL of a node without pre-confirmations. */
  rpcPlain?: string
  /** WebSocket URL of the node. */
  ws?: string
  /** Base URL of the builder-code API. */
  api?: string
  /** JSON-RPC URL of the prover host. */
  prover?: string
  /** JSON-RPC URL of L1. */
  l1?: string
  /** Endpoint of one enclave, `unix:PATH:PORT` (hybrid vsock). */
  enclave?: string
  /** URL of the L1 beacon API, for the hosts that `host` starts. */
  l1Beacon?: string
  /** Address of TEEVerifier on L1; what else is on L1 is found from there. */
  teeVerifier?: string
  /**
   * Command that starts a prover host, such as `rollbed host --chains FILE`. The gate adds the flags
   * of `rollbed host --help`; a host that calls them otherwise needs a script in between.
   */
  host?: string
  /**
   * Command that boots one enclave in the folder it is started in, which is empty, with an empty
   * environment: the enclave listens behind the hybrid vsock `./vsock`, and finds its security
   * module at `./vsock_9001`, which speaks the CBOR of the Nitro Security Module in frames.
   */
  enclaveCommand?: string
  /**
   * Command that boots one enclave in local mode (JRN-19), likewise. It knows the chain of `rpc`, and
   * there is no security module beside it.
   */
  localEnclaveCommand?: string
  /**
   * Command that runs a proposer, in a folder with the `devnet.json` of the world that it is to work
   * in. It may go on for ever or end after each thing it did: then it is started again.
   */
  proposer?: string
  /** Command that runs a challenger, likewise. */
  challenger?: string
  /** Command that runs a registrar, likewise. */
  registrar?: string
  /**
   * Command that runs a client, likewise: it prints a line of JSON for each log of the contract in
   * `WATCH_ADDRESS`, once.
   */
  client?: string
}

/** Those that speak HTTP. */
export const HTTP_TARGETS = [
  'rpc',
  'rpcTestnet',
  'rpcPlain',
  'api',
  'prover',
  'l1',
] as const satisfies readonly (keyof Targets)[]

/** Those that are judged in worlds of their own, away from all others. */
export const CALLER_TARGETS = [
  'proposer',
  'challenger',
  'registrar',
  'client',
] as const satisfies readonly (keyof Targets)[]

/** Commands that the gate starts processes by. */
export const COMMAND_TARGETS = [
  'host',
  'enclaveCommand',
  'localEnclaveCommand',
  ...CALLER_TARGETS,
] as const satisfies readonly (keyof Targets)[]

/**
 * As the command line spells it: `rpcTestnet` is `--rpc-testnet`.
 *
 * @example
 * import { flagOf } from 'rollbed/conform'
 *
 * console.log(flagOf('rpcTestnet'))
 */
export function flagOf(target: string): string {
  return `--${target.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
