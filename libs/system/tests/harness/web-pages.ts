import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { eventually } from './eventually.js';

/** Pages of the web interface in a browser. */
export interface WebPages {
  /** A page of a user without a session. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  /** Opens a page of the application; retries when the browser gives up because the machine's network changes. */
  open(page: Page, path: string): Promise<void>;
  /** Errors in the pages so far, except expected refusals. */
  readonly complaints: readonly string[];
}

/** Opens pages of the web interface at an address. */
export function webPages(browser: Browser, https: string): WebPages {
  const complaints: string[] = [];
  return {
    complaints,
    newPage: async (options = {}) => {
      const context = await browser.newContext({ ignoreHTTPSErrors: true, ...options });
      // Less than the time of a test, so that a failure names the step.
      context.setDefaultTimeout(20_000);
      context.on('weberror', (error) => complaints.push(error.error().message));
      context.on('console', (message) => {
        if (message.type() === 'error' && !/status of 4\d\d|ERR_FAILED|ERR_NETWORK_CHANGED/.test(message.text()))
          complaints.push(message.text());
      });
      return context.newPage();
    },
    open: (page, path) =>
      eventually(async () => {
        await page.goto(`${https}${path}`);
        if (new URL(page.url()).origin === https) await page.locator('main').waitFor({ timeout: 10_000 });
      }, 60_000),
  };
}
