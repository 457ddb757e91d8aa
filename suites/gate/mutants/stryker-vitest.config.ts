import { defineConfig } from 'vitest/config'

/** The tests that must kill every mutant of the journal codec and of the gate's matchers. */
export default defineConfig({
  test: {
    include: [
      'enclave-sim/protocol/journal/*.test.ts',
      'suites/prover/journal/{packing,sampling,vectors}.test.ts',
      'suites/gate/conformance/matchers/*.test.ts',
    ],
  },
})
