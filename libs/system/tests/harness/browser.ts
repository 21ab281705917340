import { existsSync } from 'node:fs';
import { type Browser, chromium, firefox } from 'playwright-core';

// The headless shell draws the same with half the CPU.
const [shell, chromiumItself] = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const chromiumPath = process.env.CADASTRE_TEST_BROWSER ?? (existsSync(shell) ? shell : chromiumItself);
const firefoxPath = process.env.CADASTRE_TEST_FIREFOX ?? '/usr/bin/firefox-esr';
const quiet = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update'];

/**
 * Whether this machine has Chromium. Without it the tests of the web interface are skipped with a warning; in CI they
 * fail.
 */
export function hasBrowser(): boolean {
  return isInstalled(chromiumPath, 'THE WEB INTERFACE IS NOT TESTED (apt-get install chromium-headless-shell)');
}

/** Whether this machine has Firefox; otherwise like `hasBrowser`. */
export function hasFirefox(): boolean {
  return isInstalled(firefoxPath, 'THE WEB INTERFACE IS NOT TESTED IN FIREFOX (apt-get install firefox-esr)');
}

function isInstalled(path: string, warning: string): boolean {
  if (existsSync(path)) return true;
  if (process.env.CI) throw new Error(`there is no browser at ${path}`);
  console.warn(`\n!!! NO BROWSER at ${path}: ${warning}\n`);
  return false;
}

export function startBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-sync', ...quiet];
  return chromium.launch({ executablePath: chromiumPath, args });
}

/**
 * Starts the Firefox of the machine. `moz-firefox` drives it by WebDriver BiDi, which needs no patched Firefox. From 1.65
 * on, playwright-core sends it a command (`emulation.setMediaFeaturesOverride`) that Firefox ESR 153 does not know.
 */
export function startFirefox(): Promise<Browser> {
  return firefox.launch({ executablePath: firefoxPath, channel: 'moz-firefox' });
}
