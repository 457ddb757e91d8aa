// Where a key lies in an index. The seed is chosen anew for each engine, so that nobody can choose keys
// that all fall on one place.

let seed0: u64 = 0
let seed1: u64 = 0

export function seed(first: u64, second: u64): void {
  seed0 = first
  seed1 = second | 1
}

// @ts-ignore: decorator
@inline
function mix(hash: u64, part: u64): u64 {
  const product = (hash ^ part) * 0x9e3779b97f4a7c15
  return (product ^ (product >> 32)) * seed1
}

export function hashWord(at: usize, owner: u64): u32 {
  let hash = mix(seed0 ^ owner, load<u64>(at))
  hash = mix(hash, load<u64>(at, 8))
  hash = mix(hash, load<u64>(at, 16))
  hash = mix(hash, load<u64>(at, 24))
  return <u32>(hash ^ (hash >> 32))
}
