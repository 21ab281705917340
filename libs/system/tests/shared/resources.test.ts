import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { seriousViolations } from '../harness/accessibility.js';
import { hasBrowser, startBrowser } from '../harness/browser.js';
import { type Rest, restClient } from '../harness/rest.js';
import { type WebPages, webPages } from '../harness/web-pages.js';
import { jsonBody } from '../harness/whois.js';

describe.skipIf(!hasBrowser())('the resources of an account', () => {
  vi.setConfig({ testTimeout: 60_000 });
  const system = inject('sharedSystem');
  let rest: Rest & { close(): void };
  let browser: Browser;
  let pages: WebPages;
  let alice: Page;

  beforeAll(async () => {
    rest = restClient(system);
    for (const [range, maintainer] of [
      ['198.19.40.0 - 198.19.43.255', 'EXAMPLE-MNT'],
      ['198.19.40.0 - 198.19.40.255', 'EXAMPLE-MNT'],
      ['198.19.41.0 - 198.19.41.0', 'EXAMPLE-HM-MNT'],
    ]) {
      const text = `inetnum: ${range}\nnetname: MAPPED-NET\ncountry: NL\nadmin-c: AE1-TEST\ntech-c: EN1-TEST\nstatus: ALLOCATED PA\nmnt-by: ${maintainer}\nsource: TEST\n`;
      const body = jsonBody(text);
      const { credential } = system;
      const answer = await rest('/TEST/inetnum', { method: 'POST', credential, contentType: 'application/json', body });
      expect(answer.status, answer.text).toBe(200);
    }
    browser = await startBrowser();
    pages = webPages(browser, system.https);
    alice = await pages.newPage();
    await pages.open(alice, '/session/login?return=/-/resources');
    await alice.getByRole('button', { name: 'alice@example.net' }).click();
    await alice.getByRole('button', { name: 'Sign out' }).waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    rest?.close();
  });

  /** What axe finds, light and wide, then dark and narrow, and whether the page is wider than a phone. */
  async function violations(page: Page) {
    const found = await seriousViolations(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 800 });
    found.push(...(await seriousViolations(page)));
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) found.push('wider than a phone');
    await page.emulateMedia({ colorScheme: null });
    await page.setViewportSize({ width: 1280, height: 720 });
    return found;
  }

  test('the page lists networks with their use, objects by type, and what is wrong', async () => {
    await pages.open(alice, '/-/resources');
    const network = alice.getByRole('listitem').filter({ hasText: '198.19.40.0/22' });
    await network.getByText('1,024 addresses, 25% registered, 2 objects inside').waitFor();
    const held = alice.getByRole('region', { name: 'What my maintainers hold' });
    const routes = held.getByRole('link', { name: /^route \d/ }).first();
    expect(await routes.getAttribute('href')).toBe('/-/object/TEST/mntner/EXAMPLE-MNT?view=referrers&type=route');
    await alice.getByText(/^Checked \d+ objects\./).waitFor();
    const warnings = alice.getByRole('region', { name: 'What needs attention' });
    expect(await warnings.locator('summary').allTextContents()).toContainEqual(
      expect.stringMatching(/^No abuse contact/),
    );
    expect(await violations(alice)).toEqual([]);
  });

  test('routes without a ROA are told where the registry knows, and failed requests can be repeated', async () => {
    const routes = [{ prefix: '192.0.2.0/24', origin: 'AS64500', roa: 'not-found' }];
    await alice.route('**/bulk-lookup', (route) => route.fulfill({ json: { resources: [{ routes }] } }));
    await alice.route('**/session/space', (route) => route.fulfill({ status: 429, json: {} }));
    await pages.open(alice, '/-/resources');
    const warned = alice.getByRole('group').filter({ hasText: 'Routes without a ROA' });
    await warned.getByRole('link', { name: '192.0.2.0/24AS64500' }).waitFor();
    await alice.unrouteAll();
    const failure = alice.getByRole('alert').filter({ hasText: 'Could not load your address space' });
    await failure.getByRole('button', { name: 'Try again' }).click();
    await alice.getByRole('link', { name: '198.19.40.0/22' }).waitFor();
  });

  test('a user zooms into a network by keyboard, sees what others hold there, and comes back', async () => {
    await pages.open(alice, '/-/resources');
    await alice.getByRole('link', { name: '198.19.40.0/22' }).first().click();
    await alice.getByRole('heading', { name: '198.19.40.0/22' }).waitFor();
    const map = alice.getByRole('list', { name: 'Parts of 198.19.40.0/22' });
    await map.waitFor();
    expect(await map.getByRole('link').count()).toBe(64);
    await map.getByRole('link').first().focus();
    // The first row has the 16 parts of 198.19.40.0/24.
    await alice.keyboard.press('ArrowDown');
    const below = map.getByRole('link', { name: '198.19.41.0/28: 6% used, 1 object' });
    expect(await below.evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true);
    expect(await violations(alice)).toEqual([]);
    await alice.keyboard.press('Enter');
    await alice.getByRole('heading', { name: '198.19.41.0/28' }).waitFor();
    await alice.getByText('Part of 198.19.40.0 - 198.19.43.255').waitFor();
    expect(await alice.evaluate('document.activeElement.id')).toBe('main');
    const single = alice.getByRole('link', { name: '198.19.41.0/32: all used, in 198.19.41.0/32' });
    expect(await single.getAttribute('href')).toBe('/-/object/TEST/inetnum/198.19.41.0%20-%20198.19.41.0');
    await alice.goBack();
    await alice.getByRole('heading', { name: '198.19.40.0/22' }).waitFor();
  });

  test('the next free prefix of a length begins a new object', async () => {
    await pages.open(alice, '/-/resources?space=198.19.40.0/22');
    const next = alice.getByRole('region', { name: 'Next free prefix' });
    await next.getByText('198.19.42.0/24').waitFor();
    await next.getByLabel('Length').selectOption('/25');
    await next.getByText('198.19.41.128/25').waitFor();
    expect(new URL(alice.url()).search).toBe('?space=198.19.40.0%2F22&length=25');
    await next.getByRole('link', { name: 'Create inetnum' }).click();
    await alice.getByRole('heading', { name: 'Create inetnum' }).waitFor();
    expect(await alice.getByLabel('inetnum', { exact: true }).inputValue()).toBe('198.19.41.128 - 198.19.41.255');
  });

  test('a range that is none, and one in which everything is free, are told', async () => {
    await pages.open(alice, '/-/resources?space=nonsense');
    await alice.getByText('"nonsense" is not an address range').waitFor();
    await pages.open(alice, '/-/resources?space=2001:db8:ffff::/48');
    await alice.getByText(/none registered, nothing inside/).waitFor();
    await alice.getByText('2001:db8:ffff::/48', { exact: true }).first().waitFor();
  });

  test('without a session the page offers to sign in', async () => {
    const visitor = await pages.newPage();
    await pages.open(visitor, '/-/resources');
    await visitor.getByText('Sign in to see what your maintainers hold').waitFor();
    expect(pages.complaints).toEqual([]);
  });
});
