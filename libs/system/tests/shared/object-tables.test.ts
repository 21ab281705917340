import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { violationsInBothLooks } from '../harness/accessibility.js';
import { describeWeb } from '../harness/describe-web.js';
import { eventually } from '../harness/eventually.js';
import { loadObjects } from '../harness/load-objects.js';
import { jsonBody } from '../harness/whois.js';

describeWeb('large and old objects in the web interface', ({ system, rest, pages }) => {
  const tail = 'tech-c: OT1-TEST\nadmin-c: OT1-TEST\nmnt-by: TABLE-MNT\nsource: TEST\n';
  const sets = Array.from({ length: 250 }, (_, at) => `as-set: AS-TABLE-${at + 1}\ndescr: Group-${at % 7}\n${tail}`);
  const routeSets = Array.from({ length: 12 }, (_, at) => `route-set: RS-TABLE-${at}\n${tail}`);
  let visitor: Page;
  /** Alice, who maintains TABLE-MNT. */
  let alice: Page;

  beforeAll(async () => {
    const person =
      'person: Tab Example\naddress: x\nphone: +31 20 555 0100\ne-mail: t@example.net\nnic-hdl: OT1-TEST\nmnt-by: TABLE-MNT\nsource: TEST\n';
    const mntner =
      'mntner: TABLE-MNT\nadmin-c: OT1-TEST\nupd-to: a@example.net\nauth: SSO alice@example.net\nmnt-by: TABLE-MNT\nsource: TEST\n';
    await write('POST', '/references/TEST', mntner, person);
    const objects = [...sets, ...routeSets];
    let serial = '';
    for (let at = 0; at < objects.length; at += 100)
      serial = await write('POST', '/batch/TEST', ...objects.slice(at, at + 100));
    await eventually(async () => {
      const headers = { 'CADASTRE-Serial': serial };
      expect((await rest('/search.txt?query-string=TABLE-MNT&limit=1', { headers })).status).toBe(200);
    });
    visitor = await pages.newPage();
    alice = await pages.newPage();
    await pages.signIn(alice, 'alice@example.net');
  });

  /** Writes objects, and returns the serial of the write. */
  async function write(method: string, path: string, ...texts: string[]): Promise<string> {
    const { credential } = system;
    const body = jsonBody(...texts);
    const answer = await rest(path, { method, credential, contentType: 'application/json', body });
    expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
    return String(answer.headers['cadastre-serial']);
  }

  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first();
  const focused = (page: Page) => page.evaluate('document.activeElement.textContent');
  /** The keys in the table. */
  const keys = (page: Page) => page.locator('tbody tr td:first-child a').allTextContents();

  test('referrers are counted by type, and further ones follow without reading the first ones again', async () => {
    const requested: URLSearchParams[] = [];
    visitor.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/search') requested.push(searchParams);
    });
    await pages.open(visitor, '/-/object/TEST/mntner/TABLE-MNT?view=referrers');
    await heading(visitor, '264 objects refer to it').waitFor();
    await visitor.getByRole('button', { name: 'as-set 250', exact: true }).click();
    await visitor.waitForURL('**?view=referrers&type=as-set');
    await visitor.getByText('100 of 250 objects').waitFor();
    expect(await violationsInBothLooks(visitor)).toEqual([]);
    requested.length = 0;
    const more = visitor.getByRole('button', { name: 'Show 100 more' });
    await more.scrollIntoViewIfNeeded();
    const scrolled = await visitor.evaluate('scrollY');
    await more.click();
    await visitor.getByText('200 of 250 objects').waitFor();
    const shown = await keys(visitor);
    await eventually(async () => expect(await focused(visitor)).toBe(shown[100]));
    expect(await visitor.evaluate('scrollY')).toBe(scrolled);
    expect(new Set(shown).size).toBe(200);
    expect(requested.map((query) => [query.get('limit'), query.has('cursor')])).toEqual([['100', true]]);
    await more.click();
    await visitor.getByText('250 of 250 objects').waitFor();
    expect(await more.count()).toBe(0);
    await visitor.goBack();
    await visitor.getByRole('button', { name: 'All types 264', pressed: true }).waitFor();
    await visitor.getByRole('button', { name: 'route-set 12', exact: true }).click();
    await visitor.getByText('12 of 12 objects').waitFor();
    await visitor.getByRole('button', { name: 'Edit these 12 together' }).waitFor();
    for (const key of ['RS-TABLE-1', 'RS-TABLE-2']) await visitor.getByLabel(`Choose ${key}`, { exact: true }).check();
    await visitor.getByRole('button', { name: 'Edit the 2 chosen together' }).click();
    await visitor.getByRole('button', { name: 'Try without an account' }).click();
    await heading(visitor, 'Change of 2 objects').waitFor();
    await visitor.goBack();
    await visitor.getByRole('button', { name: 'Edit these 12 together' }).click();
    await heading(visitor, 'Edit many objects').waitFor();
    await visitor.getByRole('button', { name: 'Try without an account' }).click();
    await heading(visitor, 'Change of 12 objects').waitFor();
  });

  test('referrers are filtered and sorted, all of them, at an address that can be shared', async () => {
    await pages.open(visitor, '/-/object/TEST/mntner/TABLE-MNT?view=referrers&type=as-set&sort=object');
    await visitor.getByText('100 of 250 objects').waitFor();
    expect((await keys(visitor)).slice(8, 11)).toEqual(['AS-TABLE-9', 'AS-TABLE-10', 'AS-TABLE-11']);
    await visitor.getByLabel('Filter by name').fill('group-3');
    await visitor.getByText('36 of 36 objects').waitFor();
    await visitor.getByRole('columnheader', { name: 'Object' }).getByRole('button').click();
    await visitor.waitForURL('**?view=referrers&type=as-set&find=group-3&sort=-object');
    expect((await keys(visitor)).slice(0, 2)).toEqual(['AS-TABLE-249', 'AS-TABLE-242']);
    await visitor.getByRole('link', { name: 'Edit AS-TABLE-249' }).click();
    await heading(visitor, 'Edit AS-TABLE-249').waitFor();
    await visitor.goBack();
    await visitor.getByText('36 of 36 objects').waitFor();
    expect(await visitor.getByLabel('Filter by name').inputValue()).toBe('group-3');
    await visitor.getByLabel('Filter by name').fill('nothing like this');
    await visitor.getByText('No matching object.').waitFor();
  });

  test('long lists of networks come by address, page after page, and say what a filter has compared', async () => {
    const mntner =
      'mntner: ORDER-MNT\nadmin-c: OT1-TEST\nupd-to: a@example.net\nauth: SSO alice@example.net\nmnt-by: ORDER-MNT\nsource: TEST\n';
    const networks = Array.from({ length: 150 }, (_, at) => {
      const block = `100.${99 + (at % 3)}.${at}`;
      return `${block}.0 - ${block}.255`;
    });
    const network = (range: string, at: number) =>
      `inetnum: ${range}\nnetname: ORDER-${at}\ncountry: NL\nstatus: ASSIGNED PA\nadmin-c: OT1-TEST\ntech-c: OT1-TEST\nmnt-by: ORDER-MNT\nsource: TEST\n`;
    await loadObjects(system, [mntner, ...networks.map(network)]);
    const byAddress = networks.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    await pages.open(visitor, '/-/object/TEST/mntner/ORDER-MNT?view=referrers&type=inetnum');
    await visitor.getByText('100 of 150 objects').waitFor();
    expect(await keys(visitor)).toEqual(byAddress.slice(0, 100));
    await visitor.getByRole('button', { name: 'Show 100 more' }).click();
    await visitor.getByText('150 of 150 objects').waitFor();
    expect(await keys(visitor)).toEqual(byAddress);
    // This order is that of the registry: the table does not read all of it.
    await pages.open(visitor, '/-/object/TEST/mntner/ORDER-MNT?view=referrers&type=inetnum&sort=object');
    await visitor.getByText('100 of 150 objects').waitFor();
    expect(await visitor.getByText('Show 100 more').count()).toBe(1);
    await visitor.getByLabel('Filter by name').fill('order-7');
    await visitor.getByText('11 of 11 objects (the filter has compared 150 of 150)').waitFor();
    expect(await keys(visitor)).toEqual(byAddress.filter((range) => /^100\.\d+\.7\d?\.0 /.test(range)));
    // The registry has compared as many objects as a request may cost: the page does not ask on by itself.
    await visitor.route('**/search?*contains=*', async (route) => {
      const url = new URL(route.request().url());
      if (url.searchParams.get('cursor') === 'AQ') {
        url.searchParams.delete('cursor');
        return route.continue({ url: url.href });
      }
      const headers = { 'CADASTRE-Compared': '10000', Link: `<${url.href}&cursor=AQ>; rel="next"` };
      return route.fulfill({ json: { objects: { object: [] } }, headers });
    });
    const field = visitor.getByLabel('Filter by name');
    await field.fill('o');
    await visitor.getByText('At least 2 characters').waitFor();
    await field.fill('order-14');
    await visitor.getByText('0 match in the first 10,000 of 10,000.').waitFor();
    expect(await violationsInBothLooks(visitor)).toEqual([]);
    const compare = visitor.getByRole('button', { name: 'Compare 10,000 more' });
    await compare.press('Enter');
    await visitor.getByText('11 of 11 objects (the filter has compared 10,150 of 10,150)').waitFor();
    await visitor.waitForURL('**&find=order-14&sort=object');
    await visitor.unroute('**/search?*contains=*');
    await field.fill('');
    await visitor.getByText('100 of 150 objects').waitFor();
    expect(await visitor.evaluate('document.activeElement.type')).toBe('search');
    await pages.open(visitor, '/-/query?q=ORDER-MNT&inverse=mnt-by&type=inetnum&flag=no-referenced');
    await visitor.getByText('50 objects by mnt-by on page 1').waitFor();
    expect(await visitor.getByRole('article').getByRole('heading').allTextContents()).toEqual(
      byAddress.slice(0, 50).map((range) => expect.stringContaining(range)),
    );
  });

  test('a page that fails keeps the rows before it, and loads when one tries again', async () => {
    await pages.open(visitor, '/-/object/TEST/mntner/TABLE-MNT?view=referrers&type=as-set');
    await visitor.getByText('100 of 250 objects').waitFor();
    await visitor.route('**/search?*', (route) => route.abort('internetdisconnected'));
    await visitor.getByRole('button', { name: 'Show 100 more' }).click();
    await visitor.getByRole('alert').filter({ hasText: 'Could not load the objects' }).waitFor();
    expect(await keys(visitor)).toHaveLength(100);
    await visitor.unroute('**/search?*');
    await visitor.getByRole('button', { name: 'Try again' }).click();
    await visitor.getByText('200 of 250 objects').waitFor();
  });

  test.each(['valid', 'invalid', 'not-found', undefined])(
    'a ROA state of %s makes no row of a phone taller',
    async (roa) => {
      const phone = await pages.newPage({ viewport: { width: 360, height: 740 } });
      const states = Promise.withResolvers<void>();
      await phone.route('**/bulk-lookup', async (route) => {
        await states.promise;
        const routes = [{ prefix: '192.0.2.0/24', origin: 'AS64500', ...(roa && { roa }) }];
        await route.fulfill({ json: { resources: [{ routes }] } });
      });
      await pages.open(phone, '/-/object/TEST/aut-num/AS64500?view=referrers&type=route');
      const row = phone.locator('tbody tr').filter({ hasText: '192.0.2.0/24AS64500' });
      await row.waitFor();
      const { width, height } = (await row.boundingBox())!;
      expect(await row.getByText('ROA').count()).toBe(0);
      states.resolve();
      await row.getByText('ROA').waitFor();
      expect(await row.boundingBox()).toMatchObject({ width, height });
      await phone.context().close();
    },
  );

  test('the account shows what its maintainers hold', async () => {
    await pages.open(alice, '/-/account');
    const maintainer = alice.locator('.maintainer').filter({ hasText: 'TABLE-MNT' });
    await maintainer.getByText('Maintained objects').click();
    await maintainer.getByRole('button', { name: 'route-set 12', exact: true }).click();
    await maintainer.getByText('12 of 12 objects').waitFor();
    expect(await violationsInBothLooks(alice)).toEqual([]);
  });

  test('the past cannot be searched for what referred to an object, and the page says so', async () => {
    const moment = new Date().toISOString();
    await pages.open(visitor, `/-/object/TEST/mntner/TABLE-MNT?view=referrers&as-of=${moment}`);
    await visitor.getByText('The past cannot be searched for').waitFor();
  });

  const old = (descr: string, notify = '') =>
    `as-set: AS-OLD\ndescr: ${descr}\nremarks: stays\n${notify}tech-c: OT1-TEST\nadmin-c: OT1-TEST\nmnt-by: TABLE-MNT\nsource: TEST\n`;
  const path = '/TEST/as-set/AS-OLD';
  const history = `/-/object${path}?view=history`;

  test('the history says why an object was deleted, and compares versions at an address', async () => {
    await write('POST', '/TEST/as-set', old('first'));
    await write('PUT', path, old('second'));
    await write('PUT', path, old('second', 'notify: noc@example.net\n'));
    await write('DELETE', `${path}?reason=merged%20with%20another%20set`, old('second'));
    await write('POST', '/TEST/as-set', old('again'));
    expect((await rest(`${path}/versions.txt`)).text).toMatch(/^4 .* DEL +merged with another set$/m);
    await pages.open(visitor, history);
    await visitor.getByRole('cell', { name: 'Deleted: merged with another set' }).waitFor();
    await heading(visitor, 'From version 3 to version 5').waitFor();
    await visitor.getByRole('radio', { name: 'To version 2' }).check();
    await visitor.getByRole('radio', { name: 'From version 1' }).check();
    await visitor.waitForURL('**?view=history&from=1&to=2');
    await visitor.locator('.diff .added', { hasText: 'second' }).waitFor();
    expect(await violationsInBothLooks(visitor)).toEqual([]);
    await visitor.goBack();
    await heading(visitor, 'From version 3 to version 2').waitFor();
    await visitor.getByText('these versions show the same. Versions leave out').waitFor();
    expect(await visitor.locator('.diff').count()).toBe(0);
  });

  test('a version is restored in the editor, with what versions leave out as it is now', async () => {
    await write('PUT', path, old('now', 'notify: noc@example.net\n'));
    await pages.open(alice, history);
    await alice.getByRole('link', { name: 'Restore version 1' }).click();
    await heading(alice, 'Restore version 1 of AS-OLD').waitFor();
    await alice.locator('.diff .removed', { hasText: 'now' }).waitFor();
    expect(await violationsInBothLooks(alice)).toEqual([]);
    await alice.getByRole('button', { name: 'Save' }).click();
    await alice.waitForURL(`**/-/object${path}`);
    const { text } = await rest(`${path}.txt?unfiltered`);
    expect(text).toMatch(/descr: +first\nremarks: +stays\nnotify: +noc@example\.net\n/);
  });

  test('a version of a deleted object creates it again', async () => {
    await write('DELETE', path, old('first'));
    await pages.open(alice, `/-/object${path}?version=2`);
    await alice.getByRole('link', { name: 'Restore this version' }).click();
    await heading(alice, 'Restore version 2 of AS-OLD').waitFor();
    await alice.getByLabel('tech-c', { exact: true }).fill('OT1-TEST');
    await alice.getByLabel('admin-c', { exact: true }).fill('OT1-TEST');
    await alice.getByText('Can be saved').waitFor();
    await alice.getByRole('button', { name: 'Save' }).click();
    await alice.waitForURL(`**/-/object${path}`);
    expect((await rest(`${path}.txt`)).text).toMatch(/descr: +second\n/);
  });

  test('an object is the template of another one', async () => {
    await pages.open(alice, '/-/object/TEST/as-set/AS-TABLE-5');
    await alice.getByRole('link', { name: 'Use as template' }).click();
    await heading(alice, 'Create as-set').waitFor();
    const key = alice.getByLabel('as-set', { exact: true });
    expect([await key.inputValue(), await alice.getByLabel('descr', { exact: true }).inputValue()]).toEqual([
      '',
      'Group-4',
    ]);
    expect(await alice.getByLabel('created', { exact: true }).count()).toBe(0);
    await key.fill('AS-TABLE-LIKE-5');
    await alice.getByText('Can be saved').waitFor();
    expect(await violationsInBothLooks(alice)).toEqual([]);
    await alice.getByRole('button', { name: 'Save' }).click();
    await alice.waitForURL('**/-/object/TEST/as-set/AS-TABLE-LIKE-5');
  });

  test('a set of 3,000 members is folded, and unfolds', async () => {
    const members = Array.from({ length: 3_000 }, (_, at) => `members: AS${65_000 + at}\n`).join('');
    await write('POST', '/TEST/as-set', `as-set: AS-MANY\n${members}${tail}`);
    await write(
      'POST',
      '/TEST/as-set',
      `as-set: AS-MORE\n${members.slice(0, 130 * 'members: AS65000\n'.length)}${tail}`,
    );
    await pages.open(visitor, '/-/object/TEST/as-set/AS-MORE');
    await visitor.getByText('30 more lines of members').waitFor();
    expect(await violationsInBothLooks(visitor)).toEqual([]);
    await pages.open(visitor, '/-/object/TEST/as-set/AS-MANY');
    await visitor.getByText('2,900 more lines of members').waitFor();
    const hidden = visitor.getByText('AS67999', { exact: true });
    expect(await hidden.isVisible()).toBe(false);
    await visitor.getByText('2,900 more lines of members').click();
    expect(await hidden.isVisible()).toBe(true);
    expect(await focused(visitor)).toBe('2,900 more lines of members');
  });
});
