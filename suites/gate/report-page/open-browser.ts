import { type Browser, chromium } from '@playwright/test'
import { ensureChromium } from './install-chromium.ts'

const SWITCHES = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Chromium for tests of pages, installed when it is missing. @throws ChromiumMissing */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await ensureChromium(), args: SWITCHES })
}
