/** What lies in an image directory. */
export const imageFiles = {
  /** The bundled enclave: the file a Node process is started with. */
  program: 'enclave.mjs',
  /** Native secp256k1, loaded by the program from beside it. */
  secp256k1: 'secp256k1.node',
  /** koffi's native part: what an enclave in a virtual machine opens AF_VSOCK with. */
  koffi: 'koffi.node',
  /** The chains the enclave can prove. */
  chains: 'chains.json',
  /** Only in an image for local mode: the enclave asks no security module and measures nothing. */
  local: 'local',
  /** Free text that tells two otherwise equal images apart; may be absent. */
  label: 'label',
} as const

/**
 * The enclave's socket, relative to its image directory. The security module's is beside it, with
 * the port appended.
 */
export const SOCKET_FROM_IMAGE = '../vsock'
