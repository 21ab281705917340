import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { eventually } from './eventually.js';

/** Pages of the web interface in a browser. */
export interface WebPages {
  /** A page of a user without a session. Nothing pulses while it loads: to draw that takes a fifth of the CPU. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  /** Opens a page of the application; retries when the browser gives up because the machine's network changes. */
  open(page: Page, path: string): Promise<void>;
  /** Signs in at the identity provider, and comes back to the home page. */
  signIn(page: Page, account: string): Promise<void>;
  /** Errors in the pages so far, except expected refusals. */
  readonly complaints: readonly string[];
}

/** Refusals, a changed network, and the icon that Firefox misses on the page of the identity provider. */
const expected = /status of 4\d\d|ERR_FAILED|ERR_NETWORK_CHANGED|favicon\.ico/;

/** Opens pages of the web interface at an address. */
export function webPages(browser: Browser | Promise<Browser>, https: string): WebPages {
  const complaints: string[] = [];
  const complain = (text: string) => {
    if (!expected.test(text)) complaints.push(text);
  };
  const open = (page: Page, path: string) =>
    eventually(async () => {
      await page.goto(`${https}${path}`);
      if (new URL(page.url()).origin === https) await page.locator('main').waitFor({ timeout: 30_000 });
    }, 120_000);
  return {
    complaints,
    open,
    signIn: async (page, account) => {
      await open(page, '/session/login?return=/');
      await page.getByRole('button', { name: account }).click();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
    },
    newPage: async (options = {}) => {
      const context = await (await browser).newContext({
        ignoreHTTPSErrors: true,
        reducedMotion: 'reduce',
        ...options,
      });
      // Less than the time of a test, so that a failure names the step.
      context.setDefaultTimeout(90_000);
      context.on('weberror', (error) => complain(error.error().message));
      context.on('console', (message) => {
        if (message.type() === 'error') complain(message.text());
      });
      return context.newPage();
    },
  };
}
