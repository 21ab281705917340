import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { violationsInBothLooks } from '../harness/accessibility.js';
import { describeWeb } from '../harness/describe-web.js';
import { eventually } from '../harness/eventually.js';
import { loadObjects } from '../harness/load-objects.js';

const rest = 'admin-c: AE1-TEST\ntech-c: AE1-TEST\nmnt-by: TREE-MNT\nsource: TEST\n';
const mntner = `mntner: TREE-MNT\nadmin-c: AE1-TEST\nupd-to: tree@example.net\nauth: SSO tree@example.net\nmnt-by: TREE-MNT\nsource: TEST\n`;
const inetnum = (range: string, name: string) =>
  `inetnum: ${range}\nnetname: ${name}\ncountry: NL\nstatus: ASSIGNED PA\n${rest}`;
/** More networks than a page of a level has. */
const networks = 450;
const rangeOf = (at: number) => {
  const start = `100.64.${at >> 1}.${(at & 1) * 128}`;
  return `${start} - ${start.replace(/\d+$/, String((at & 1) * 128 + 127))}`;
};
const objects = [
  mntner,
  inetnum('100.64.0.0 - 100.64.255.255', 'TREE'),
  ...Array.from({ length: networks }, (_, at) => inetnum(rangeOf(at), `TREE-${at}`)),
  inetnum('100.64.0.0 - 100.64.0.63', 'TREE-INNER'),
  `route: 100.64.0.0/26\norigin: AS64499\nmnt-by: TREE-MNT\nsource: TEST\n`,
  `as-set: AS-TREE\nmembers: AS64499, AS-TREE-INNER, AS-TREE-GONE\n${rest}`,
  `as-set: AS-TREE-INNER\nmembers: AS64498, AS-TREE\n${rest}`,
];

describeWeb('trees of the web interface', ({ system, pages }) => {
  let page: Page;

  beforeAll(async () => {
    await loadObjects(system, objects);
    page = await pages.newPage();
  });

  const treePage = '/-/object/TEST/inetnum/100.64.0.0%20-%20100.64.255.255?view=tree';
  const row = (text: string) => page.getByRole('treeitem').filter({ hasText: text }).first();

  test('a level of any size is walked by keys, and draws only what is in the window', async () => {
    await pages.open(page, treePage);
    await page.getByRole('tree').focus();
    const last = row(rangeOf(networks - 1));
    await eventually(async () => {
      await page.keyboard.press('End');
      await last.waitFor({ timeout: 5_000 });
    });
    await eventually(async () => expect(await last.getAttribute('aria-setsize')).toBe(String(networks)));
    expect(await last.getAttribute('aria-posinset')).toBe(String(networks));
    expect(await page.getByRole('treeitem').count()).toBeLessThan(60);
    expect(await row(rangeOf(0)).count()).toBe(0);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: rangeOf(networks - 1) }).waitFor();
    expect(new URL(page.url()).search).toBe('?view=tree');
  });

  test('an object opens in place, with the networks and routes inside it', async () => {
    await pages.open(page, treePage);
    await row(rangeOf(0)).waitFor();
    await page.getByRole('tree').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => row(rangeOf(0)).getAttribute('aria-expanded')).toBe('true');
    const inner = row('TREE-INNER');
    await inner.waitFor();
    expect(await inner.getAttribute('aria-level')).toBe('2');
    await row('100.64.0.0/26AS64499').waitFor();
    await inner.locator('button').click();
    await row('Nothing is assigned inside').waitFor();
    expect(await violationsInBothLooks(page)).toEqual([]);
    await row(rangeOf(0)).locator('button').click();
    await eventually(async () => expect(await inner.count()).toBe(0));
  });

  test('a level that cannot be loaded says so, and loads when one tries again', async () => {
    await pages.open(page, treePage);
    await row(rangeOf(0)).waitFor();
    await page.route(/\/search\?/, (route) => route.abort('internetdisconnected'));
    await row(rangeOf(0)).locator('button').click();
    await row('Could not load more').waitFor();
    await page.unrouteAll();
    await row('Could not load more').getByRole('button', { name: 'Try again' }).press('Enter');
    await row('TREE-INNER').waitFor();
  });

  test('a set shows its members as a tree, and what they are all together', async () => {
    await pages.open(page, '/-/object/TEST/as-set/AS-TREE');
    await page.getByRole('link', { name: 'Members' }).click();
    const figure = (label: string) => page.locator('.figures div').filter({ hasText: label });
    await figure('AS numbers').getByText('2', { exact: true }).waitFor();
    await figure('IPv4 prefixes').getByText('1', { exact: true }).waitFor();
    await figure('Sets inside').getByText('1 missing').waitFor();
    await row('AS-TREE-GONE').getByText('does not exist').waitFor();
    await row('AS64499').getByText('1 prefix', { exact: true }).waitFor();
    await page.getByRole('tree').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await row('AS64498').getByText('0 prefixes').waitFor();
    await page.getByText('a loop').waitFor();
    expect(await violationsInBothLooks(page)).toEqual([]);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await figure('AS numbers').getByRole('button', { name: 'Copy list' }).click();
    const copied = () => page.evaluate('navigator.clipboard.readText()');
    await eventually(async () => expect(await copied()).toBe('AS64498\nAS64499\n'));
    await page.getByRole('button', { name: 'Why is a prefix missing?' }).click();
    await page.getByText('AS-TREE-GONE, a member of AS-TREE, does not exist.').waitFor();
    await row('AS-TREE-INNER').getByRole('link').click();
    await page.getByRole('heading', { name: 'AS-TREE-INNER' }).waitFor();
  });

  test('a set whose members cannot be loaded says so', async () => {
    const fail = (route: { abort(): Promise<void> }) => route.abort();
    await page.route(/\/search\/expansion/, fail);
    await pages.open(page, '/-/object/TEST/as-set/AS-TREE?view=members');
    await page.getByRole('alert').filter({ hasText: 'Could not load the members' }).waitFor();
    await page.unroute(/\/search\/expansion/, fail);
    await page.getByRole('button', { name: 'Try again' }).last().click();
    await row('AS64499').waitFor();
  });
});
