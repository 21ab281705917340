import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { hasFirefox, startFirefox } from '../harness/browser.js';
import { type Rest, restClient } from '../harness/rest.js';
import { type WebPages, webPages } from '../harness/web-pages.js';
import { whoisClient } from '../harness/whois.js';

/** The main flows once more, in another browser. */
describe.skipIf(!hasFirefox())('the web interface in Firefox', () => {
  vi.setConfig({ testTimeout: 240_000 });
  const system = inject('sharedSystem');
  let rest: Rest & { close(): void };
  let browser: Browser;
  let pages: WebPages;
  let alice: Page;

  beforeAll(async () => {
    rest = restClient(system);
    browser = await startFirefox();
    pages = webPages(browser, system.https);
    alice = await pages.newPage();
    const text = 'as-set: AS-FIREFOX\ntech-c: AE1-TEST\nadmin-c: AE1-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n';
    expect((await whoisClient(rest, system.credential).create('as-set', text)).status).toBe(200);
  });
  afterAll(async () => {
    await browser?.close();
    rest?.close();
  });

  const heading = (name: string | RegExp) => alice.getByRole('heading', { name }).first();

  test('a search leads to an object, its abuse contact and its address tree; Back restores the place', async () => {
    await alice.setViewportSize({ width: 390, height: 500 });
    await pages.open(alice, '/');
    await alice.getByRole('combobox', { name: 'Search the registry' }).fill('192.0.2.77');
    await alice.keyboard.press('Enter');
    const link = alice.getByRole('article').getByRole('link', { name: '192.0.2.0 - 192.0.2.255' });
    await link.scrollIntoViewIfNeeded();
    const place = await alice.evaluate('Math.round(scrollY)');
    await link.click();
    await alice.getByRole('link', { name: 'abuse@example.net' }).waitFor();
    await alice.goBack();
    await expect.poll(() => alice.evaluate('Math.round(scrollY)')).toBe(place);
    await link.click();
    await alice.getByRole('link', { name: 'Address tree' }).click();
    await alice.locator('.tree li', { hasText: 'INTERNET-ROOT' }).waitFor();
  });

  test('a user signs in, changes an object after a dry run, and sees the difference in its history', async () => {
    await pages.signIn(alice, 'alice@example.net');
    await pages.open(alice, '/-/edit/TEST/as-set/AS-FIREFOX');
    await alice.getByLabel('Attribute to add').selectOption('remarks');
    await alice.getByRole('button', { name: 'Add' }).click();
    await alice.getByLabel('remarks', { exact: true }).fill('changed in Firefox');
    await alice.getByText('Can be saved').waitFor();
    await alice.locator('.diff .added', { hasText: 'changed in Firefox' }).waitFor();
    await alice.getByRole('button', { name: 'Save' }).click();
    await alice.getByRole('definition').filter({ hasText: 'changed in Firefox' }).waitFor();
    await alice.getByRole('link', { name: 'History' }).click();
    await heading('From version 1 to version 2').waitFor();
    await alice.locator('.diff .added', { hasText: 'changed in Firefox' }).waitFor();
  });

  test('an object is found, and another one created, by keyboard only', async () => {
    await pages.open(alice, '/');
    await alice.keyboard.type('AS-FIREFOX');
    await alice.keyboard.press('Enter');
    await alice.getByRole('article').getByRole('link', { name: 'AS-FIREFOX' }).waitFor();
    await pages.open(alice, '/-/create/as-set');
    await alice.getByLabel('as-set', { exact: true }).waitFor();
    const focused = () =>
      alice.evaluate<string>('document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent');
    const tabTo = async (name: string) => {
      for (let presses = 0; (await focused()) !== name; presses++) {
        expect(presses, `${name} is not reached by Tab`).toBeLessThan(100);
        await alice.keyboard.press('Tab');
      }
    };
    const fields = { 'as-set': 'AS-KEYS', 'tech-c': 'AE1-TEST', 'admin-c': 'AE1-TEST', 'mnt-by': 'EXAMPLE-MNT' };
    for (const [name, value] of Object.entries(fields)) {
      await tabTo(name);
      await alice.keyboard.press('Control+A');
      await alice.keyboard.type(value);
    }
    await alice.getByText('Can be saved').waitFor();
    await tabTo('Save');
    await alice.keyboard.press('Enter');
    await alice.getByText('Created.').waitFor();
  });

  test('no page logged an error or violated the content security policy', () => {
    expect(pages.complaints).toEqual([]);
  });
});
