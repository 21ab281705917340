import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { seriousViolations } from '../harness/accessibility.js';
import { hasBrowser, startBrowser } from '../harness/browser.js';
import { webPages } from '../harness/web-pages.js';

describe.skipIf(!hasBrowser())('the web interface over plain HTTP', () => {
  vi.setConfig({ testTimeout: 240_000 });
  const system = inject('sharedSystem');
  let browser: Browser;
  let visitor: Page;

  beforeAll(async () => {
    browser = await startBrowser();
    visitor = await webPages(browser, system.https).newPage();
  });
  afterAll(() => browser?.close());

  test('says where HTTPS is', async () => {
    const plain = system.http.replace('localhost', 'registry.localhost');
    await visitor.goto(`${plain}/-/create/domains?prefix=100.66.1.0/25`);
    const secure = `${system.https.replace('localhost', 'registry.localhost')}/-/create/domains?prefix=100.66.1.0/25`;
    const link = visitor.getByRole('link', { name: 'open this page over HTTPS' });
    expect(await link.getAttribute('href')).toBe(secure);
    expect(await visitor.getByRole('link', { name: 'Sign in over HTTPS' }).first().getAttribute('href')).toBe(secure);
    expect(await seriousViolations(visitor)).toEqual([]);
  });

  test('needs no warning on the own machine', async () => {
    await visitor.goto(`${system.http}/`);
    await visitor.getByRole('link', { name: 'Sign in over HTTPS' }).waitFor();
    expect(await visitor.getByRole('link', { name: 'open this page over HTTPS' }).count()).toBe(0);
  });
});
