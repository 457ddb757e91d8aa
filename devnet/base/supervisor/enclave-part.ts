/** As an enclave is named where its death or its trouble is told. */
export const enclavePart = (cid: number) => `enclave ${cid}`
