import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { violationsInBothLooks } from '../harness/accessibility.js';
import { describeWeb } from '../harness/describe-web.js';
import { eventually } from '../harness/eventually.js';
import { jsonBody } from '../harness/whois.js';

describeWeb('the resources of an account', ({ system, rest, pages }) => {
  /** Holds MAPPED-MNT, and nothing that other tests write. */
  let carol: Page;

  beforeAll(async () => {
    await write(
      'mntner',
      'mntner: MAPPED-MNT\nadmin-c: AE1-TEST\nupd-to: carol@example.net\nauth: SSO carol@example.net\nauth: SSO alice@example.net\nmnt-by: MAPPED-MNT\nsource: TEST\n',
    );
    for (const [range, maintainer] of [
      ['198.19.40.0 - 198.19.43.255', 'MAPPED-MNT'],
      ['198.19.40.0 - 198.19.40.255', 'MAPPED-MNT'],
      ['198.19.41.0 - 198.19.41.0', 'EXAMPLE-HM-MNT'],
    ]) {
      await write(
        'inetnum',
        `inetnum: ${range}\nnetname: MAPPED-NET\ncountry: NL\nadmin-c: AE1-TEST\ntech-c: EN1-TEST\nstatus: ALLOCATED PA\nmnt-by: ${maintainer}\nsource: TEST\n`,
      );
    }
    const serial = await write('route', 'route: 198.19.40.0/22\norigin: AS64500\nmnt-by: MAPPED-MNT\nsource: TEST\n');
    // The page does not wait for the index.
    await eventually(async () => {
      const headers = { 'CADASTRE-Serial': serial };
      expect((await rest('/search.txt?query-string=MAPPED-MNT&limit=1', { headers })).status).toBe(200);
    });
    carol = await pages.newPage();
    await pages.signIn(carol, 'carol@example.net');
  });

  /** Returns the serial of the write. */
  async function write(type: string, text: string): Promise<string> {
    const { credential } = system;
    const sent = { method: 'POST', credential, contentType: 'application/json', body: jsonBody(text) };
    const answer = await rest(`/TEST/${type}`, sent);
    expect(answer.status, answer.text).toBe(200);
    return String(answer.headers['cadastre-serial']);
  }

  test('the page lists networks with their use, objects by type, and what is wrong', async () => {
    await pages.open(carol, '/-/resources');
    const network = carol.getByRole('listitem').filter({ hasText: '198.19.40.0/22' });
    await network.getByText('1,024 addresses, 25% registered, 2 objects inside').waitFor();
    const held = carol.getByRole('region', { name: 'What my maintainers hold' });
    const routes = held.getByRole('link', { name: /^route \d/ }).first();
    expect(await routes.getAttribute('href')).toBe('/-/object/TEST/mntner/MAPPED-MNT?view=referrers&type=route');
    await carol.getByText(/^Checked \d+ objects\./).waitFor();
    const warnings = carol.getByRole('region', { name: 'What needs attention' });
    expect(await warnings.locator('summary').allTextContents()).toContainEqual(
      expect.stringMatching(/^No abuse contact/),
    );
    expect(await violationsInBothLooks(carol)).toEqual([]);
  });

  test('routes without a ROA are told where the registry knows, and failed requests can be repeated', async () => {
    const routes = [{ prefix: '198.19.40.0/22', origin: 'AS64500', roa: 'not-found' }];
    await carol.route('**/bulk-lookup', (route) => route.fulfill({ json: { resources: [{ routes }] } }));
    await carol.route('**/session/space', (route) => route.fulfill({ status: 429, json: {} }));
    await pages.open(carol, '/-/resources');
    const warned = carol.getByRole('group').filter({ hasText: 'Routes without a ROA' });
    await warned.getByRole('link', { name: '198.19.40.0/22AS64500' }).waitFor();
    await carol.unrouteAll();
    const failure = carol.getByRole('alert').filter({ hasText: 'Could not load your address space' });
    await failure.getByRole('button', { name: 'Try again' }).click();
    await carol.getByRole('link', { name: '198.19.40.0/22' }).waitFor();
  });

  test('a user zooms into a network by keyboard, sees what others hold there, and comes back', async () => {
    await pages.open(carol, '/-/resources');
    await carol.getByRole('link', { name: '198.19.40.0/22' }).first().click();
    await carol.getByRole('heading', { name: '198.19.40.0/22' }).waitFor();
    const map = carol.getByRole('list', { name: 'Parts of 198.19.40.0/22' });
    await map.waitFor();
    expect(await map.getByRole('link').count()).toBe(64);
    await map.getByRole('link').first().focus();
    // The first row has the 16 parts of 198.19.40.0/24.
    await carol.keyboard.press('ArrowDown');
    const below = map.getByRole('link', { name: '198.19.41.0/28: 6% used, 1 object' });
    expect(await below.evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true);
    expect(await violationsInBothLooks(carol)).toEqual([]);
    await carol.keyboard.press('Enter');
    await carol.getByRole('heading', { name: '198.19.41.0/28' }).waitFor();
    await carol.getByText('Part of 198.19.40.0 - 198.19.43.255').waitFor();
    expect(await carol.evaluate('document.activeElement.id')).toBe('main');
    const single = carol.getByRole('link', { name: '198.19.41.0/32: all used, in 198.19.41.0/32' });
    expect(await single.getAttribute('href')).toBe('/-/object/TEST/inetnum/198.19.41.0%20-%20198.19.41.0');
    await carol.goBack();
    await carol.getByRole('heading', { name: '198.19.40.0/22' }).waitFor();
  });

  test('the next free prefix of a length begins a new object', async () => {
    await pages.open(carol, '/-/resources?space=198.19.40.0/22');
    const next = carol.getByRole('region', { name: 'Next free prefix' });
    await next.getByText('198.19.42.0/24').waitFor();
    await next.getByLabel('Length').selectOption('/25');
    await next.getByText('198.19.41.128/25').waitFor();
    expect(new URL(carol.url()).search).toBe('?space=198.19.40.0%2F22&length=25');
    await next.getByRole('link', { name: 'Create inetnum' }).click();
    await carol.getByRole('heading', { name: 'Create inetnum' }).waitFor();
    expect(await carol.getByLabel('inetnum', { exact: true }).inputValue()).toBe('198.19.41.128 - 198.19.41.255');
  });

  test('a range that is none, and one in which everything is free, are told', async () => {
    await pages.open(carol, '/-/resources?space=nonsense');
    await carol.getByText('"nonsense" is not an address range').waitFor();
    await pages.open(carol, '/-/resources?space=2001:db8:ffff::/48');
    await carol.getByText(/none registered, nothing inside/).waitFor();
    await carol.getByText('2001:db8:ffff::/48', { exact: true }).first().waitFor();
  });

  test('without a session the page offers to sign in', async () => {
    const visitor = await pages.newPage();
    await pages.open(visitor, '/-/resources');
    await visitor.getByText('Sign in to see what your maintainers hold').waitFor();
    expect(pages.complaints).toEqual([]);
  });
});
