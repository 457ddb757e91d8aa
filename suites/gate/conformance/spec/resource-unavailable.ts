/**
 * EIP-1474 "Resource unavailable": what a host answers that takes no more requests now. How many it takes at
 * once no document says (OPEN-91).
 */
export const RESOURCE_UNAVAILABLE = -32002
