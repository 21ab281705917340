import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { seriousViolations } from '../harness/accessibility.js';
import { hasBrowser, startBrowser } from '../harness/browser.js';
import { shiftFaults, slowDown, targetFaults, widthFaults } from '../harness/page-layout.js';
import { faultsOfAll } from '../harness/page-list.js';
import { type WebPages, webPages } from '../harness/web-pages.js';

describe.skipIf(!hasBrowser())('the layout of the web interface', () => {
  // Each page waits for its own answers.
  vi.setConfig({ testTimeout: 300_000 });
  const { https } = inject('sharedSystem');
  let browser: Browser;
  let pages: WebPages;

  beforeAll(async () => {
    browser = await startBrowser();
    pages = webPages(browser, https);
  });
  afterAll(() => browser?.close());

  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first();

  test.each<[string, BrowserContextOptions]>([
    ['a dark phone', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
    ['a tablet', { viewport: { width: 1024, height: 768 } }],
    ['a light desktop', { viewport: { width: 1440, height: 900 } }],
  ])('on %s axe finds nothing; no page is too wide, moves, or has small targets', async (_what, look) => {
    const page = await pages.newPage(look);
    await pages.signIn(page, 'alice@example.net');
    const faults = await faultsOfAll(page.context(), async (tab) => {
      const settled = await slowDown(tab);
      return async ({ path, heading: name }) => {
        await pages.open(tab, path);
        await heading(tab, name).waitFor();
        await settled();
        const found = [...(await shiftFaults(tab)), ...(await widthFaults(tab)), ...(await targetFaults(tab))];
        return [...found, ...(await seriousViolations(tab))].map((fault) => `${path} ${fault}`);
      };
    });
    expect(faults).toEqual([]);
    // Also of the content security policy.
    expect(pages.complaints).toEqual([]);
    await page.context().close();
  });

  test('on a phone the help of a field is on the screen', async () => {
    const page = await pages.newPage({ viewport: { width: 390, height: 844 } });
    await pages.open(page, '/-/create/inetnum');
    const help = page.locator('.help', { has: page.getByLabel('About netname') });
    await help.locator('summary').click();
    const box = (await help.locator('.card').boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(390);
    expect(await widthFaults(page)).toEqual([]);
    await page.context().close();
  });

  test('on a phone the abuse contact of a range is on the first screen', async () => {
    const page = await pages.newPage({ viewport: { width: 390, height: 844 } });
    await pages.open(page, '/-/object/TEST/inetnum/192.0.2.0%20-%20192.0.2.255');
    const box = (await page.getByRole('link', { name: 'abuse@example.net' }).first().boundingBox())!;
    expect(box.y + box.height).toBeLessThan(844);
    await page.context().close();
  });

  test('where the user chooses the colours, what is current has other ones', async () => {
    const page = await pages.newPage({ forcedColors: 'active' });
    await pages.open(page, '/-/edit/TEST/mntner/EXAMPLE-MNT');
    await page.getByRole('button', { name: 'Try without an account' }).click();
    await heading(page, 'Mandatory').waitFor();
    expect(await groundOf(page, '[aria-pressed=true]')).not.toBe(await groundOf(page, '[aria-pressed=false]'));
    await pages.open(page, '/-/object/TEST/mntner/EXAMPLE-MNT?view=history');
    await heading(page, 'Version 1').waitFor();
    expect(await groundOf(page, 'nav [aria-current]')).not.toBe(await groundOf(page, '.object-views a'));
    await page.context().close();
  });
});

/** The background colour of the first such element. */
function groundOf(page: Page, selector: string): Promise<unknown> {
  return page.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`);
}
