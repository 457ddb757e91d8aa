import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './suites/longest-first.ts'

/** The long files that `npm test` leaves to other commits: suites/drawn-files.ts. */
const leftOut = process.env.ROLLBED_LEFT_OUT?.split(',') ?? []
const exclude = ['**/node_modules/**', 'dist/**', '.rollbed/**', ...leftOut]
/**
 * Tests that put other modules, or the global WebSocket, in place of real ones: nobody may have
 * loaded these before.
 */
const REPLACES_MODULES = [
  'suites/prover/safety/bombs.test.ts',
  'suites/clients/sdk/msw-entry.test.ts',
  'suites/weather/swarm/draw-plan.test.ts',
]

export default defineConfig({
  test: {
    // Modules are loaded once per worker: half of a run's time went into loading them for each file.
    projects: [
      {
        extends: true,
        test: {
          name: 'shared modules',
          isolate: false,
          // The other project finds the folder that it makes.
          globalSetup: ['suites/leave-nothing.ts'],
          include: ['**/*.test.ts'],
          exclude: [...exclude, ...REPLACES_MODULES],
        },
      },
      { extends: true, test: { name: 'own modules', include: REPLACES_MODULES, exclude } },
    ],
    pool: 'forks',
    // More than there are cores: whole-system tests wait for blocks much of their time. With two more, two cores are
    // busy nine tenths of the time once the longest files are begun first: what tests compute is what they cost.
    maxWorkers: availableParallelism() + 2,
    // Simulated worlds make much that is soon forgotten: with 64 megabytes for it they take an eighth less CPU than
    // with 16.
    execArgv: ['--max-semi-space-size=64'],
    sequence: { sequencer: LongestFirst },
    setupFiles: ['suites/property-seed.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    retry: 0,
  },
})
