import { mkdir } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, inject, test, vi } from 'vitest';
import { startBrowser } from '../harness/browser.js';
import { settle } from '../harness/page-layout.js';
import { pageList } from '../harness/page-list.js';
import { type WebPages, webPages } from '../harness/web-pages.js';

/** The folder of the pictures. Without it the test makes none: people look at them, the gate does not. */
const directory = process.env.CADASTRE_TEST_SCREENSHOTS;

describe.skipIf(!directory)('pictures of every page', () => {
  vi.setConfig({ testTimeout: 600_000 });
  let browser: Browser;
  let pages: WebPages;

  beforeAll(async () => {
    browser = await startBrowser();
    pages = webPages(browser, inject('sharedSystem').https);
  });
  afterAll(() => browser?.close());

  test.each([390, 1024, 1440])('%i px wide, light and dark', async (width) => {
    const folder = `${directory}/${width}`;
    await mkdir(folder, { recursive: true });
    const page = await pages.newPage({ viewport: { width, height: 900 } });
    await pages.signIn(page, 'alice@example.net');
    for (const { path, heading } of pageList) {
      await pages.open(page, path);
      await page.getByRole('heading', { name: heading }).first().waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await settle(page);
        const name = path.replace(/%20/g, '').replace(/[^\w.-]+/g, '_');
        await page.screenshot({ path: `${folder}/${name}.${colorScheme}.png`, fullPage: true });
      }
    }
    await page.context().close();
  });

  test('those of docs/web', async () => {
    const folder = `${directory}/docs`;
    await mkdir(folder, { recursive: true });
    const page = await pages.newPage({ viewport: { width: 1200, height: 700 } });
    await pages.signIn(page, 'alice@example.net');
    await pages.open(page, '/-/object/TEST/inetnum/192.0.2.0%20-%20192.0.2.255');
    await page.getByText('In short').waitFor();
    await settle(page);
    await page.screenshot({ path: `${folder}/object.png` });
    await pages.open(page, '/-/edit/TEST/inetnum/192.0.2.0%20-%20192.0.2.255');
    await page.getByLabel('netname', { exact: true }).fill('EXAMPLE-NET-NORTH');
    await page.getByLabel('tech-c', { exact: true }).fill('NO1-TEST');
    await page.getByText('Unknown object referenced NO1-TEST').waitFor();
    await page.screenshot({ path: `${folder}/edit.png` });
    await page.context().close();
    const phone = await pages.newPage({ viewport: { width: 390, height: 760 }, colorScheme: 'dark' });
    await pages.open(phone, '/-/object/TEST/route/192.0.2.0/24AS64500?view=tree');
    await phone.getByText('Nothing is registered inside').waitFor();
    await settle(phone);
    await phone.screenshot({ path: `${folder}/phone.png` });
    await phone.context().close();
  });
});
