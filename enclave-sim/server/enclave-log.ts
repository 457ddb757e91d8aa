/** One line of an enclave's log: what happened, and public facts about it. Never key material. */
export type EnclaveLog = (event: string, fields?: Record<string, string | number>) => void
