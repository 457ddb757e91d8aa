import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['**/node_modules/**', 'dist/**', '.rollbed/**'],
    pool: 'forks',
    // Modules are loaded once per worker: half of a run's time went into loading them for each file.
    isolate: false,
    // One more than most machines have cores: whole-system tests wait for blocks much of their time.
    maxWorkers: 3,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    retry: 0,
  },
})
