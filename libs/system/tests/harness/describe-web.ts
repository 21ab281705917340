import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, inject, vi } from 'vitest';
import { hasBrowser, startBrowser } from './browser.js';
import { type Rest, restClient } from './rest.js';
import type { SharedSystem } from './run-system.js';
import { type WebPages, webPages } from './web-pages.js';

/** The system that files share, a client of it, and pages of its web interface. */
interface Web {
  readonly system: SharedSystem;
  readonly rest: Rest;
  readonly pages: WebPages;
}

/** Tests of the web interface in a browser, which starts before them; without a browser they are skipped. */
export function describeWeb(what: string, tests: (web: Web) => void): void {
  describe.skipIf(!hasBrowser())(what, () => {
    vi.setConfig({ testTimeout: 240_000 });
    const system = inject('sharedSystem');
    const rest = restClient(system);
    const { promise: browser, resolve } = Promise.withResolvers<Browser>();
    beforeAll(() => resolve(startBrowser()));
    afterAll(async () => {
      await (await browser).close();
      rest.close();
    });
    tests({ system, rest, pages: webPages(browser, system.https) });
  });
}
