import type { NodeMethod } from '../../node-rpc.ts'

/** What Otterscan asks for at least. */
const API_LEVEL = 8

/** `ots_getApiLevel []`: which of Otterscan's methods are here, as a plain number. */
export const otsGetApiLevel: NodeMethod = () => API_LEVEL
