/** What `known-failures.yaml` was measured against, and the version that package.json pins. */
export const ANVIL_VERSION = '1.7.1'
