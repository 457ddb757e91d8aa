/** The oldest Node that the built package runs on: SQLite, module hooks. devnet/cli/rollbed.sh has it too. */
export const LEAST_NODE = '22.15'

/**
 * @param version such as 22.15.0
 * @example
 * isNewEnough('22.14.0') // false
 */
export function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = LEAST_NODE.split('.').map(Number)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}
