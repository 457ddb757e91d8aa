/** Form of a member on the wire. */
export type FieldForm = 'quantity' | 'hash' | 'address' | 'bytes' | 'nonce' | 'bloom' | 'list'
