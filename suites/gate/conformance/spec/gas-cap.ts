/** The most gas that a transaction may ask for (EIP-7825). */
export const GAS_CAP = 2n ** 24n
