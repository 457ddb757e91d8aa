/** How a client puts builder codes into calldata and finds them again (ERC-8021). */
export interface AttributionCodec {
  /** `data` with the codes as a suffix. */
  append(data: `0x${string}`, codes: readonly string[]): `0x${string}`
  /** The codes of some calldata; undefined when it carries none. */
  read(data: `0x${string}`): readonly string[] | undefined
}
