import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = process.env.CADASTRE_TEST_BROWSER ?? '/usr/bin/chromium';
const quiet = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update'];

/**
 * Whether this machine has a browser. Without one the tests of the web interface are skipped with a warning; in CI they
 * fail.
 */
export function hasBrowser(): boolean {
  if (existsSync(executablePath)) return true;
  if (process.env.CI) throw new Error(`there is no browser at ${executablePath}`);
  console.warn(`\n!!! NO BROWSER at ${executablePath}: THE WEB INTERFACE IS NOT TESTED (apt-get install chromium)\n`);
  return false;
}

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-sync', ...quiet] });
}
