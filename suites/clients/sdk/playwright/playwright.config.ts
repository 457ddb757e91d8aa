import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  workers: 1,
  reporter: 'json',
  // Loading comes first, and may take long on a slow machine.
  timeout: 240_000,
  expect: { timeout: 120_000 },
  use: {
    launchOptions: { executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] },
    ...(process.env.SAMPLE_DAPP && { baseURL: process.env.SAMPLE_DAPP }),
  },
})
