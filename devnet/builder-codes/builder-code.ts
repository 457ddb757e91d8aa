import { type Rng, randomInt } from '#protocol/random/rng'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 8

/** `^bc_[a-z0-9]{8}$`, as every code seen on Base (OPEN-40). */
export type BuilderCode = `bc_${string}`

/** A fresh random code; whoever stores it makes sure that it is unique (BC-13). */
export function randomBuilderCode(rng: Rng): BuilderCode {
  const characters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(rng, ALPHABET.length)])
  return `bc_${characters.join('')}`
}
