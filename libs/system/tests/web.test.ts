import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { keepSecret } from '@cadastre/service/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { seriousViolations } from './harness/accessibility.js';
import { hasBrowser, startBrowser } from './harness/browser.js';
import { cadastre } from './harness/cadastre.js';
import { eventually } from './harness/eventually.js';
import { personText } from './harness/person-text.js';
import { type Rest, restClient } from './harness/rest.js';
import { freshDirectory, inOneProcess, type RunningSystem, runSystem } from './harness/run-system.js';
import { type WebPages, webPages } from './harness/web-pages.js';
import { whoisClient } from './harness/whois.js';

describe.skipIf(!hasBrowser())('the web interface', () => {
  // Signing in, loading and writing take long when other tests run.
  vi.setConfig({ testTimeout: 400_000 });
  let data: Awaited<ReturnType<typeof freshDirectory>>;
  let system: RunningSystem;
  let rest: Rest & { close(): void };
  let browser: Browser;
  let pages: WebPages;
  /** A user without a session. */
  let visitor: Page;
  /** Bob, who maintains nothing at first. */
  let bob: Page;
  /** When AS-BOB was changed for the last time. */
  let lastChange: string;

  beforeAll(async () => {
    data = await freshDirectory();
    // This machine has the default limits, too: the web interface must not exceed them.
    system = await runSystem(data.directory, { ...inOneProcess, CADASTRE_LIMITS: '' });
    rest = restClient(system);
    browser = await startBrowser();
    pages = webPages(browser, system.https);
    visitor = await pages.newPage();
    bob = await pages.newPage();
  });

  afterAll(async () => {
    await browser?.close();
    rest?.close();
    await system?.stop();
    await data.remove();
  });

  const open = (page: Page, path: string) => pages.open(page, path);
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first();

  test('a visitor finds an object by an address, and follows links', async () => {
    await open(visitor, '/');
    await visitor.getByRole('combobox', { name: 'Search the registry' }).fill('192.0.2.77');
    await visitor.getByText('Understood as an IPv4 address').waitFor();
    await visitor.keyboard.press('Enter');
    await visitor.getByRole('article').getByRole('link', { name: '192.0.2.0 - 192.0.2.255' }).click();
    await heading(visitor, /192\.0\.2\.0 - 192\.0\.2\.255/).waitFor();
    expect(new URL(visitor.url()).pathname).toBe('/-/object/TEST/inetnum/192.0.2.0%20-%20192.0.2.255');
    await visitor.getByRole('link', { name: 'abuse@example.net' }).waitFor();
    await visitor.getByText('52.37 4.89').first().waitFor();
    const facts = visitor.locator('.facts', { hasText: 'In short' });
    for (const part of ['Example Networks (NL) B.V.', '0.0.0.0 - 255.255.255.255', 'AS64500'])
      await facts.getByText(part).waitFor();
    await facts.getByText('ROA').first().waitFor();
    await visitor.getByRole('link', { name: 'ORG-EX1-TEST' }).first().click();
    await visitor.getByText('Example Networks (NL) B.V.').waitFor();
    await visitor.goBack();
    await heading(visitor, /192\.0\.2\.0/).waitFor();
  });

  test('a visitor sees no e-mail addresses of an object, on its page as in results', async () => {
    for (const path of ['/-/object/TEST/mntner/EXAMPLE-MNT', '/-/query?q=EXAMPLE-MNT&type=mntner']) {
      await open(visitor, path);
      await visitor.getByText('# Filtered').first().waitFor();
      expect(await visitor.getByRole('term').filter({ hasText: 'upd-to' }).count()).toBe(0);
    }
  });

  test('the address tree shows what encloses a range, and the first level inside', async () => {
    await open(visitor, '/-/object/TEST/route/192.0.2.0/24AS64500?view=tree');
    await visitor.locator('.tree li', { hasText: 'INTERNET-ROOT' }).waitFor();
    await visitor.getByText('Nothing is registered inside').waitFor();
    await visitor.locator('.tree').getByRole('link', { name: '192.0.2.0 - 192.0.2.255' }).click();
    const present = visitor.locator('.tree [aria-current]');
    await present.filter({ hasText: '192.0.2.0 - 192.0.2.255' }).waitFor();
    await visitor.locator('.tree').getByRole('link', { name: '0.0.0.0 - 255.255.255.255' }).click();
    await visitor.getByText('Everything is inside').waitFor();
  });

  test('filters are part of the address of a result', async () => {
    await open(visitor, '/-/query?q=EXAMPLE-MNT&inverse=mnt-by&type=route&flag=no-referenced');
    await visitor.getByRole('status').filter({ hasText: '1 object' }).waitFor();
    expect(await visitor.getByRole('article').count()).toBe(1);
    await visitor.getByText('Filters (in use)').click();
    expect(await visitor.getByRole('checkbox', { name: 'route', exact: true }).isChecked()).toBe(true);
    await visitor.getByRole('button', { name: 'Without route' }).click();
    await visitor.waitForURL('**/-/query?q=EXAMPLE-MNT&inverse=mnt-by&flag=no-referenced');
    await visitor.getByRole('button', { name: 'Without by mnt-by' }).waitFor();
    await visitor.getByRole('button', { name: 'Reset filters' }).click();
    await visitor.waitForURL('**/-/query?q=EXAMPLE-MNT');
    expect(await visitor.getByRole('button', { name: 'Reset filters' }).count()).toBe(0);
    await open(visitor, '/-/query?q=no-such-thing');
    await heading(visitor, /No objects found for/).waitFor();
  });

  test('an object shows its referrers, and can be copied as text', async () => {
    await open(visitor, '/-/object/TEST/person/AE1-TEST?view=referrers');
    await visitor.getByRole('link', { name: 'EXAMPLE-MNT', exact: true }).waitFor();
    await visitor.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await visitor.getByLabel('Copy AE1-TEST').click();
    await visitor.getByRole('button', { name: 'RPSL' }).click();
    const copied = () => visitor.evaluate('navigator.clipboard.readText()');
    await eventually(async () => expect(await copied()).toMatch(/^person: {9}Alice Example\n/));
  });

  test('a user without authority learns who has it', async () => {
    await open(visitor, '/-/edit/TEST/person/AE1-TEST');
    await visitor.getByRole('button', { name: 'Try without an account' }).click();
    await visitor.getByLabel('person', { exact: true }).fill('Alice Changed');
    await heading(visitor, 'This needs another maintainer').waitFor();
    const refusal = visitor.locator('.refusal');
    expect(await refusal.textContent()).toContain('The registry accepts this from EXAMPLE-MNT');
    expect(await refusal.textContent()).toContain('You are not signed in');
    expect(await visitor.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  });

  test('editing works while the maintainers are unknown', async () => {
    await visitor.route('**/session', (route) => route.fulfill({ json: { session: { account: 'x', expires: '' } } }));
    await visitor.route('**/session/maintainers', (route) => route.abort());
    await open(visitor, '/-/edit/TEST/person/AE1-TEST');
    await heading(visitor, 'Mandatory').waitFor();
    await visitor.unrouteAll();
  });

  test('bob signs in at the identity provider and returns to his page', async () => {
    await open(bob, '/-/account');
    await bob.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await bob.getByRole('button', { name: 'bob@example.net' }).click();
    await bob.getByText('Signed in as bob@example.net').waitFor();
    expect(new URL(bob.url()).pathname).toBe('/-/account');
    await bob.getByText('No maintainer has your account in its “auth”').waitFor();
  });

  test('he creates a maintainer and a contact at once, and acts for it', async () => {
    await open(bob, '/-/create/first');
    await bob.getByLabel('Name of the maintainer').fill('bob-mnt');
    await bob.getByLabel('Your name').fill('Bob Builder');
    await bob.getByLabel('Postal address').fill('2 Example Street');
    await bob.getByLabel('Phone').fill('nobody knows');
    await bob.getByText('This is not allowed.').waitFor();
    expect(await bob.getByLabel('Phone').getAttribute('aria-invalid')).toBe('true');
    await bob.getByRole('button', { name: 'Create both' }).click();
    await bob.locator('.messages .error').first().waitFor();
    await bob.getByLabel('Phone').fill('+31 20 555 0142');
    await bob.getByLabel('Name of the maintainer').fill('example-mnt');
    await bob.getByText('This name is taken: choose another one.').first().waitFor();
    await bob.getByLabel('Name of the maintainer').fill('bob-mnt');
    await expect.poll(() => bob.getByLabel('Name of the maintainer').getAttribute('aria-invalid')).toBe('false');
    await bob.getByRole('button', { name: 'Create both' }).click();
    await heading(bob, /BOB-MNT/).waitFor();
    await bob.getByText('Created. Next:').waitFor();
    await bob.getByRole('link', { name: 'an organisation' }).waitFor();
    await open(bob, '/-/account');
    await bob.getByRole('main').getByRole('link', { name: 'BOB-MNT' }).waitFor();
    await bob.getByText(/^Stored today: [1-9]\d* bytes of 50 MB$/).waitFor();
    await bob.getByText(/^Stored with history: [1-9]\d* bytes of 1 GB$/).waitFor();
  });

  test('he creates an API key, which is shown once and works in curl', async () => {
    await bob.getByLabel('Purpose').fill('scripts');
    await bob.getByRole('button', { name: 'Create key' }).click();
    const credential = (await bob.locator('.secret').textContent()) ?? '';
    const curl = promisify(execFile)('curl', [
      ...['--silent', '--show-error', '--cacert', system.certificate],
      ...['-H', `Authorization: Basic ${credential}`, `${system.https}/session/maintainers`],
    ]);
    const used = expect.any(Number);
    expect(JSON.parse((await curl).stdout).maintainers).toEqual([
      { source: 'TEST', key: 'BOB-MNT', storage: { used, most: 1_000_000_000 } },
    ]);

    await bob.reload();
    await bob.getByRole('rowheader', { name: 'scripts' }).waitFor();
    expect(await bob.content()).not.toContain(credential);
    await bob.getByRole('button', { name: 'Revoke scripts' }).click();
    await bob.getByRole('button', { name: 'Revoke scripts for good' }).click();
    await bob.getByRole('cell', { name: /^revoked/ }).waitFor();
    expect((await rest('/session/maintainers', { credential })).status).toBe(401);
  });

  test('he creates a webhook, whose secret is shown once, and sees its attempts', async () => {
    await open(bob, '/-/webhooks');
    await bob.getByLabel('URL').fill('https://127.0.0.1/');
    await bob.getByRole('button', { name: 'Create webhook' }).click();
    await bob.getByRole('alert').getByText('must name a public host').waitFor();
    await bob.getByLabel('URL').fill('https://localhost/hook');
    await bob.getByText('More filters and signature').click();
    expect(await seriousViolations(bob)).toEqual([]);
    await bob.getByLabel('Types').fill('route, route6');
    await bob.getByLabel('Addresses inside of').fill('192.0.2.0/24');
    await bob.getByLabel('deleted', { exact: true }).uncheck();
    await bob.getByRole('button', { name: 'Create webhook' }).click();
    const card = bob.getByRole('article', { name: 'Webhook https://localhost/hook' });
    const secret = bob.locator('.secret');
    const first = await secret.textContent();
    await card.getByText('waits until the URL accepts a test event').waitFor();
    await card.getByText('changes of route, route6, created, modified, 192.0.2.0/24').waitFor();
    expect(first).toMatch(/^whsec_/);
    await bob.getByRole('button', { name: 'I have it' }).click();
    await card.getByRole('button', { name: 'New secret' }).click();
    const second = await secret.textContent();
    expect(second).toMatch(/^whsec_/);
    expect(second).not.toBe(first);
    keepSecret(first!);
    keepSecret(second!);
    await card.getByRole('button', { name: 'Attempts' }).click();
    await eventually(async () => {
      await open(bob, '/-/webhooks');
      await card.getByRole('button', { name: 'Attempts' }).click();
      await card.getByText('the URL does not lead to a public address').first().waitFor({ timeout: 10_000 });
    }, 180_000);
    expect(await seriousViolations(bob)).toEqual([]);
    await card.getByRole('button', { name: 'Delete' }).click();
    await card.getByRole('button', { name: 'Delete for good' }).click();
    await bob.getByText('You have no webhooks yet.').waitFor();
  });

  test('he creates an object with the form, which shows errors at their attributes before the write', async () => {
    await open(bob, '/-/create/as-set');
    await bob.getByLabel('as-set', { exact: true }).fill('AS-BOB');
    await bob.getByLabel('tech-c', { exact: true }).fill('no handle');
    const row = bob.locator('.form-row', { has: bob.getByLabel('tech-c', { exact: true }) });
    await row.locator('.error').waitFor();
    expect(await bob.getByLabel('tech-c', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    expect((await rest('/TEST/as-set/AS-BOB')).status).toBe(404);

    await bob.getByLabel('tech-c', { exact: true }).fill('BB1-TEST');
    await bob.getByLabel('admin-c', { exact: true }).fill('BB1-TEST');
    expect(await bob.getByLabel('mnt-by', { exact: true }).inputValue()).toBe('BOB-MNT');
    await bob.getByText('Can be saved').waitFor();
    await bob.getByRole('button', { name: 'Save' }).click();
    await heading(bob, /AS-BOB/).waitFor();
    expect((await rest('/TEST/as-set/AS-BOB')).status).toBe(200);
  });

  test('a reference is completed by search', async () => {
    await open(bob, '/-/edit/TEST/as-set/AS-BOB');
    const field = bob.getByLabel('admin-c', { exact: true });
    await field.fill('Bob Builder');
    const list = await field.getAttribute('list');
    await eventually(async () =>
      expect(await bob.locator(`[id="${list}"] option`).first().getAttribute('value')).toBe('BB1-TEST'),
    );
  });

  test('he changes it as text, sees the difference, switches without loss, and saves', async () => {
    await open(bob, '/-/edit/TEST/as-set/AS-BOB');
    await bob.getByRole('button', { name: 'Text' }).click();
    const text = bob.getByLabel('The object as text');
    const changed = (await text.inputValue()).replace(
      'tech-c:',
      'remarks:        first line # with a comment\n+ second\ntech-c:',
    );
    await text.fill(changed);
    await bob.locator('.diff .added', { hasText: 'first line # with a comment' }).waitFor();
    await bob.getByRole('button', { name: 'Form' }).click();
    expect(await bob.getByLabel('remarks', { exact: true }).inputValue()).toContain('first line # with a comment');
    await bob.getByRole('button', { name: 'Text' }).click();
    expect(await text.inputValue()).toContain('remarks:        first line # with a comment\n+');
    await bob.getByText('Can be saved').waitFor();
    await bob.getByRole('button', { name: 'Save' }).click();
    await bob.getByRole('definition').filter({ hasText: 'first line second' }).waitFor();
  });

  /** Bob changes the remarks of AS-BOB. */
  async function change(remarks: string) {
    await open(bob, '/-/edit/TEST/as-set/AS-BOB');
    await bob.getByLabel('remarks', { exact: true }).fill(remarks);
    await bob.getByText('Can be saved').waitFor();
    await bob.getByRole('button', { name: 'Save' }).click();
    await bob.getByRole('definition').filter({ hasText: remarks }).waitFor();
  }

  test('a reader whose page is open learns that the object changed, and reloads it when he wants', async () => {
    const opened = visitor.waitForResponse(/\/TEST\/changes\?/);
    await open(visitor, '/-/object/TEST/as-set/AS-BOB');
    await opened;
    const notice = visitor.getByText('This object was modified');
    await change('changed while a page is open');
    await notice.waitFor();
    expect(await visitor.content()).not.toContain('changed while a page is open');
    // As after “Skip to the content”.
    await visitor.evaluate("location.hash = 'main'");
    await visitor.getByRole('link', { name: 'Reload the page' }).click();
    await visitor.getByRole('definition').filter({ hasText: 'changed while a page is open' }).waitFor();
    expect(await notice.count()).toBe(0);
  });

  test('a hidden page has no stream; when it is visible again, it learns what it missed', async () => {
    const streams = async () => {
      const { limits }: { limits: { limit: { name: string; used: number }[] } } = await visitor.evaluate(
        "fetch('/metadata/limits.json').then((response) => response.json())",
      );
      return limits.limit.find(({ name }) => name === 'concurrent-streams')!.used;
    };
    const show = (state: string) =>
      visitor.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await eventually(async () => expect(await streams()).toBe(1));
    await show('hidden');
    await eventually(async () => expect(await streams()).toBe(0));
    await change('changed while the page is hidden');
    await show('visible');
    await visitor.getByText('This object was modified').waitFor();
  });

  test('a page whose stream was refused asks again', async () => {
    const page = await pages.newPage();
    await page.clock.install();
    let refused = 0;
    await page.route('**/TEST/changes?*', (route) => {
      refused += 1;
      return route.fulfill({ status: 429 });
    });
    await open(page, '/-/object/TEST/as-set/AS-BOB');
    await eventually(() => expect(refused).toBe(1));
    await page.unroute('**/TEST/changes?*');
    const opened = page.waitForResponse((one) => one.url().includes('/TEST/changes?') && one.status() === 200);
    await page.clock.fastForward(10_000);
    await opened;
    await page.context().close();
  });

  test('a page whose position the registry has forgotten follows it from now on, and says what it may miss', async () => {
    const page = await pages.newPage();
    await page.clock.install();
    const body = 'retry: 1\nevent: position\nid: 99999999\ndata: {}\n\n';
    // The browser opens the ended stream again.
    const answers = [{ contentType: 'text/event-stream', body }, { status: 410 }, { status: 410 }];
    const after: (string | null)[] = [];
    await page.route('**/TEST/changes?*', (route) => {
      after.push(new URL(route.request().url()).searchParams.get('after'));
      const answer = answers.shift();
      return answer ? route.fulfill(answer) : route.continue();
    });
    await open(page, '/-/object/TEST/as-set/AS-BOB');
    const notice = page.getByText('This object may have changed after this page was opened.');
    await eventually(async () => {
      await page.clock.fastForward(20_000);
      await notice.waitFor({ timeout: 1_000 });
    });
    expect(after).toEqual([null, null, '99999999', null]);
    await page.context().close();
  });

  test('a browser without EventSource shows the object as well', async () => {
    const page = await pages.newPage();
    await page.addInitScript('delete window.EventSource');
    await open(page, '/-/object/TEST/as-set/AS-BOB');
    await page.getByRole('definition').filter({ hasText: 'changed while the page is hidden' }).waitFor();
    await page.context().close();
  });

  test('the history shows the difference of any two versions', async () => {
    await bob.getByRole('link', { name: 'History' }).click();
    await bob.getByRole('radio', { name: 'To version 2' }).check();
    await bob.getByRole('radio', { name: 'From version 1' }).check();
    await heading(bob, 'From version 1 to version 2').waitFor();
    await bob.locator('.diff .added', { hasText: 'remarks' }).waitFor();
    await bob.getByRole('radio', { name: 'To version 1' }).check();
    await bob.getByRole('radio', { name: 'From version 2' }).check();
    await bob.locator('.diff .removed', { hasText: 'remarks' }).waitFor();
  });

  test('a version of the history is shown as it was; the way back leads there', async () => {
    await open(visitor, '/-/object/TEST/as-set/AS-BOB?view=history');
    await visitor.getByRole('link', { name: 'Show version 1' }).click();
    const banner = visitor.getByRole('status').filter({ hasText: 'This is version 1, of 20' });
    await banner.waitFor();
    expect(await visitor.getByRole('definition').filter({ hasText: 'changed while' }).count()).toBe(0);
    expect(await visitor.getByRole('link', { name: 'Edit' }).count()).toBe(0);
    await banner.getByRole('link', { name: 'See now' }).click();
    await visitor.getByRole('definition').filter({ hasText: 'changed while' }).waitFor();
    expect(await banner.count()).toBe(0);
    await visitor.goBack();
    await banner.waitFor();
    await open(visitor, '/-/object/TEST/as-set/AS-BOB?version=99');
    await heading(visitor, 'There is no such version').waitFor();
  });

  /**
   * The current second, as in an address and in its field; the one before at a full minute, which the field of
   * Chromium writes without seconds.
   */
  const thisSecond = () => {
    const now = Date.now();
    return new Date(new Date(now).getUTCSeconds() === 0 ? now - 1000 : now).toISOString().slice(0, 19);
  };

  test('an object as of a date, chosen by keyboard: its links stay there, and its address can be shared', async () => {
    const path = '/-/object/TEST/inetnum/192.0.2.0%20-%20192.0.2.255';
    await open(visitor, path);
    const moment = thisSecond();
    expect(await visitor.getByText('Earlier states').count()).toBe(0);
    await visitor.getByRole('link', { name: 'History' }).click();
    await visitor.getByText('Earlier states').focus();
    await visitor.keyboard.press('Enter');
    await visitor.getByLabel('As of date and time (UTC)').fill(moment);
    await visitor.keyboard.press('Enter');
    const banner = visitor.getByRole('status').filter({ hasText: `This is the state of ${moment.replace('T', ' ')}` });
    await banner.filter({ hasText: 'version 1, of 20' }).waitFor();
    expect(new URL(visitor.url()).search).toBe(`?as-of=${moment}Z`);
    expect(await visitor.evaluate('document.activeElement.id')).toBe('main');
    expect(await visitor.title()).toContain(moment.replace('T', ' '));
    expect(await visitor.getByRole('heading', { name: 'Abuse contact' }).count()).toBe(0);
    await visitor.getByRole('link', { name: 'Address tree' }).click();
    await visitor.locator('.tree li', { hasText: 'INTERNET-ROOT' }).waitFor();
    await visitor.getByRole('link', { name: 'Object', exact: true }).click();
    await visitor.getByRole('link', { name: 'ORG-EX1-TEST' }).click();
    await visitor.getByText('Example Networks (NL) B.V.').waitFor();
    expect(visitor.url()).toContain(`/organisation/ORG-EX1-TEST?as-of=${moment}Z`);
    await visitor.goBack();
    await heading(visitor, /192\.0\.2\.0/).waitFor();
    await banner.getByRole('link', { name: 'See now' }).click();
    await heading(visitor, 'Abuse contact').waitFor();
    expect(await banner.count()).toBe(0);
  });

  test.each([
    ['2001-01-01', 'The object did not exist then', ''],
    ['0', 'The object did not exist then', ''],
    ['2999-01-01', 'There is no such moment', 'This time is in the future'],
    ['yesterday', 'There is no such moment', "Invalid value 'yesterday'"],
  ])('there is no state as of %s: the page says why', async (asOf, title, message) => {
    await open(visitor, `/-/object/TEST/mntner/EXAMPLE-MNT?as-of=${asOf}`);
    await heading(visitor, title).waitFor();
    expect(await visitor.locator('main').textContent()).toContain(message);
    await visitor.getByRole('link', { name: 'See now' }).click();
    await visitor.getByText('Maintainer of the example network').waitFor();
  });

  test('a search as of a date shows that state; one that the past cannot answer says so', async () => {
    await open(visitor, '/-/query?q=192.0.2.77&level=all-less');
    const moment = thisSecond();
    await visitor.getByText('Filters (in use)').click();
    await visitor.getByLabel('As of date and time (UTC)').fill(moment);
    await visitor.keyboard.press('Enter');
    await visitor.getByText(`This search is in the state of ${moment.replace('T', ' ')}`).waitFor();
    await visitor.getByRole('status').filter({ hasText: '3 objects' }).waitFor();
    await visitor.getByRole('link', { name: '192.0.2.0/24AS64500' }).click();
    await visitor.getByText('This is the state of').waitFor();
    expect(new URL(visitor.url()).search).toBe(`?as-of=${moment}Z`);
    await open(visitor, `/-/query?q=192.0.2.77&flag=no-filtering&as-of=${moment}Z`);
    await visitor.getByRole('alert').filter({ hasText: "With 'as-of' a search finds" }).waitFor();
    expect(await visitor.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });

  test('he cannot delete a referenced object; he deletes another one with a reason', async () => {
    const check = async (path: string) => {
      await open(bob, path);
      await bob.getByText('Delete this object').click();
      await bob.getByLabel('Reason for the history').fill('no longer needed');
      await bob.getByRole('button', { name: 'Check the deletion' }).click();
    };
    await check('/-/edit/TEST/person/BB1-TEST');
    await bob.getByRole('link', { name: 'what refers to it' }).waitFor();
    const { text } = await rest('/TEST/as-set/AS-BOB.txt');
    lastChange = /^last-modified: +(\S+)$/m.exec(text)![1]!;
    await check('/-/edit/TEST/as-set/AS-BOB');
    await bob.getByRole('button', { name: 'Delete AS-BOB' }).click();
    await bob.getByRole('cell', { name: 'Deleted' }).waitFor();
    expect((await rest('/TEST/as-set/AS-BOB')).status).toBe(404);
  });

  test('a deleted object shows when it was deleted, and what it was, until the operator erases that', async () => {
    await open(visitor, `/-/object/TEST/as-set/AS-BOB?as-of=${new Date().toISOString()}`);
    await heading(visitor, 'The object did not exist then').waitFor();
    await visitor.getByText('The object was deleted on 20').waitFor();
    await open(visitor, `/-/object/TEST/as-set/AS-BOB?as-of=${lastChange}`);

    await visitor.getByRole('definition').filter({ hasText: 'changed while' }).waitFor();
    const erasure = ['history', 'erase', 'as-set/AS-BOB', '--source', 'TEST', '--reason', 'test'];
    expect((await cadastre(system, erasure)).code).toBe(0);
    await visitor.reload();
    await heading(visitor, 'The registry no longer has this state').waitFor();
    await visitor.getByText('The operator has erased').waitFor();
  });

  test('a mail that a change would send is in a file; its link unsubscribes', async () => {
    const text = personText('Nora Notified', 'NN1-TEST').replace(
      'mnt-by:',
      'remarks: <b>bold</b>\nnotify: nora@example.net\nmnt-by:',
    );
    await cadastre(system, ['email', 'confirm', 'nora@example.net']);
    expect((await whoisClient(rest, system.credential).create('person', text)).status).toBe(200);
    let mail = '';
    await eventually(async () => {
      // The mntner has an address, too, which must be confirmed.
      const [name = ''] = /^\S+(?=.*nora@example\.net)/m.exec((await cadastre(system, ['mail', 'list'])).stdout) ?? [];
      mail = (await cadastre(system, ['mail', 'show', name])).stdout;
      expect(mail).toMatch(/^To: nora@example\.net$/m);
    });
    expect(mail).toMatch(/^Subject: Notification of TEST database changes$.*OBJECT BELOW CREATED:.*<b>bold<\/b>/ms);
    const link = /https:\S+\/notifications\/unsubscribe\/\S+/.exec(mail.slice(mail.indexOf('\n\n')))![0];
    await visitor.goto(link);
    await visitor.getByRole('button', { name: 'Unsubscribe' }).click();
    await visitor.getByText('You are unsubscribed').waitFor();
  });

  test('he signs out, and the session ends', async () => {
    await bob.getByRole('button', { name: 'Sign out' }).click();
    await bob.getByRole('button', { name: 'Yes, sign me out' }).click();
    await bob.getByRole('button', { name: 'Sign in' }).waitFor();
    await open(bob, '/-/account');
    await bob.getByText('Sign in to see the maintainers').waitFor();
    await bob.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await bob.getByRole('button', { name: 'alice@example.net' }).waitFor();
  });

  test('the page notices that a session ended elsewhere, and shows public data', async () => {
    const cookie = { name: '__Host-cadastre-session', value: 'ended', secure: true, httpOnly: true, path: '/' };
    await bob.context().addCookies([{ ...cookie, domain: 'localhost' }]);
    await open(bob, '/-/object/TEST/mntner/EXAMPLE-MNT');
    await bob.getByText('Maintainer of the example network').waitFor();
    await bob.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await bob.context().cookies()).not.toContainEqual(expect.objectContaining({ name: cookie.name }));
  });

  test('a page works with the keyboard only', async () => {
    const page = await pages.newPage();
    await open(page, '/-/object/TEST/mntner/EXAMPLE-MNT');
    await heading(page, /EXAMPLE-MNT/).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.getByRole('link', { name: 'Referred to by' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'AS64500', exact: true }).waitFor();
    await page.context().close();
  });

  test('missing pages and objects, and an unavailable registry, have messages', async () => {
    await open(visitor, '/-/object/TEST/mntner/NOBODY-MNT');
    await heading(visitor, 'Object not found').waitFor();
    expect(await visitor.getByRole('link', { name: 'Edit' }).count()).toBe(0);
    expect(await visitor.getByRole('link', { name: 'Use as template' }).count()).toBe(0);
    await open(visitor, '/-/nowhere');
    await heading(visitor, 'Page not found').waitFor();
    await visitor.route('**/search?*', (route) => route.abort());
    await open(visitor, '/-/query?q=AS64500');
    await visitor.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor();
    await visitor.unroute('**/search?*');
    await visitor.getByRole('button', { name: 'Try again' }).click();
    await visitor.getByRole('article').first().waitFor();
  });

  test('an object has a page of its RDAP document', async () => {
    await open(visitor, '/-/object/TEST/aut-num/AS64500');
    await visitor.getByRole('link', { name: 'RDAP' }).click();
    await heading(visitor, 'The object in RDAP').waitFor();
    await visitor.getByText('"objectClassName": "autnum"').waitFor();
  });

  test('an address that is typed leads to the page of the object; the footer leads to the interface and the terms', async () => {
    await visitor.goto(`${system.https}/TEST/mntner/EXAMPLE-MNT`);
    await heading(visitor, 'EXAMPLE-MNT').waitFor();
    expect(new URL(visitor.url()).pathname).toBe('/-/object/TEST/mntner/EXAMPLE-MNT');
    for (const link of ['REST interface', 'OpenAPI']) await visitor.getByRole('link', { name: link }).waitFor();
    await visitor.getByRole('link', { name: 'Sources and terms' }).click();
    await visitor.getByRole('link', { name: 'Terms and conditions' }).waitFor();
  });

  test('a page whose script does not load says so', async () => {
    const page = await pages.newPage();
    await page.route('**/-/assets/*.js', (route) => route.abort());
    await page.goto(system.https);
    await page.getByText('This page did not load completely').waitFor();
    await page.context().close();
  });

  test('no page logged an error or violated the content security policy', () => {
    expect(pages.complaints).toEqual([]);
  });
});
