const BASE_TIME = '0x4200000000000000000000000000000000000030'

/** Whether an address is that of BaseTime. */
export const isBaseTime = (value: unknown) => String(value).toLowerCase() === BASE_TIME
