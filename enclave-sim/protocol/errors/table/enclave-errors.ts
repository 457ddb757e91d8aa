import { errorRows } from './error-row.ts'

/** Enclaves: start, wire, attestation: numbers from 800 on. */
export const ENCLAVE_ERRORS = errorRows({
  ENCLAVES_UNFIT: { number: 801, title: 'These enclaves cannot stand together' },
  ENCLAVE_START_FAILED: {
    number: 802,
    title: 'An enclave did not start',
    action: "`rollbed doctor` says what the machine lacks; --verbose prints the enclave's log.",
  },
  ISOLATION_UNAVAILABLE: { number: 803, title: 'Enclaves cannot be cut off the network' },
  ISOLATION_BROKEN: {
    number: 804,
    title: 'An enclave reaches the network',
    action: "Report it: an enclave's process must not see a network.",
  },
  SECCOMP_UNSUPPORTED: {
    number: 805,
    title: 'This machine has no seccomp filter',
    action: 'Run on x64 or arm64, or with --insecure-no-netns.',
  },
  VM_UNAVAILABLE: { number: 806, title: 'Virtual machines cannot start here' },
  ENDPOINT_INVALID: { number: 807, title: "This is no enclave's endpoint" },
  VSOCK_FAILED: {
    number: 808,
    title: 'An enclave cannot be reached; the code is the name of an errno, as ECONNRESET',
  },
  FRAME_TIMEOUT: {
    number: 809,
    title: 'A frame did not come whole in time',
    action: 'Look whether the enclave still runs; a slow machine wants a shorter range.',
  },
  FRAME_TOO_LARGE: { number: 810, title: 'A frame is too large' },
  FRAME_TRUNCATED: {
    number: 811,
    title: 'A connection ended within a frame',
    action: 'Look at the log of the other end: it stopped or died.',
  },
  BINCODE_INVALID: { number: 812, title: 'Bytes are no message of the wire' },
  NSM_MESSAGE_INVALID: {
    number: 813,
    title: 'Bytes are no message of the security module',
    action: 'Both ends must speak the CBOR of the Nitro security module.',
  },
  SECURITY_MODULE_REFUSED: {
    number: 814,
    title: 'The security module refuses a request',
    action: "The code in the message is the Nitro security module's.",
  },
  SECURITY_MODULE_UNREACHABLE: {
    number: 815,
    title: 'The security module does not answer',
    action: "On hardware: does /dev/nsm exist? On a devnet: look at the host's log.",
  },
  RANDOMNESS_FAILED: {
    number: 816,
    title: 'The security module gave too little randomness',
    action: 'Start the enclave again; without randomness it makes no key.',
  },
  PCR_INVALID: {
    number: 817,
    title: 'A measurement has the wrong size',
    action: 'Check the security module: PCR0 has 48 bytes.',
  },
  CHAIN_TABLE_INVALID: {
    number: 818,
    title: "The image's table of chains is unreadable",
    action: 'Build the image again.',
  },
  ATTESTATION_INVALID: { number: 819, title: 'An attestation document cannot be trusted' },
})
