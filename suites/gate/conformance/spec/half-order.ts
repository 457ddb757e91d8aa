/** Half the order of secp256k1: of two signatures that recover to one key, that with the lower s counts (EIP-2). */
export const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
