import type { Page, Route } from 'playwright-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { describeWeb } from '../harness/describe-web.js';

/** How requests of pages fail: a status, or no response. */
const failures = [403, 429, 500, 503, 'offline'] as const;

/** Pages, the requests that load them, and a text that they show when these succeed. */
const pagesOf: [page: string, path: string, requests: RegExp, content: string | RegExp][] = [
  ['an object', '/-/object/TEST/mntner/EXAMPLE-MNT', /\/TEST\/mntner\/EXAMPLE-MNT/, 'mnt-by'],
  ['an earlier state', '/-/object/TEST/mntner/EXAMPLE-MNT?version=1', /\/versions\/1/, 'This is'],
  ['a history', '/-/object/TEST/mntner/EXAMPLE-MNT?view=history', /\/versions/, 'Created'],
  ['referrers', '/-/object/TEST/mntner/EXAMPLE-MNT?view=referrers', /\/search\?/, 'inetnum'],
  ['a tree', '/-/object/TEST/inetnum/192.0.2.0%20-%20192.0.2.255?view=tree', /\/search\?/, 'Nothing'],
  ['a result', '/-/query?q=EXAMPLE-MNT', /\/search\?/, /\d objects?$/],
  ['editing many', '/-/edit-many', /\/metadata\/sources/, 'One change of an attribute'],
  ['the editor', '/-/edit/TEST/mntner/EXAMPLE-MNT', /\/TEST\/mntner\/EXAMPLE-MNT/, 'Edit EXAMPLE-MNT'],
];

/** Some of the failures for each page, others for the next one. */
function failuresOf(page: string): (typeof failures)[number][] {
  const at = pagesOf.findIndex(([name]) => name === page);
  return Array.from({ length: inject('counts').failures }, (_, n) => failures[(at + n) % failures.length]!);
}

describeWeb('a page whose requests fail', ({ pages }) => {
  let page: Page;
  let open: (path: string) => Promise<void>;

  beforeAll(async () => {
    page = await pages.newPage();
    open = (path) => pages.open(page, path);
  });

  test.each(pagesOf)('%s says so, and loads when one tries again', async (what, path, requests, content) => {
    for (const failure of failuresOf(what)) {
      const fail = (route: Route) => {
        if (route.request().resourceType() === 'document') return route.fallback();
        if (failure === 'offline') return route.abort('internetdisconnected');
        const errormessage = [{ severity: 'Error', text: `Refused by %s`, args: [{ value: `status ${failure}` }] }];
        return route.fulfill({ status: failure, json: { errormessages: { errormessage } } });
      };
      await page.route(requests, fail);
      await open(path);
      if (what === 'the editor') await page.getByRole('button', { name: 'Try without an account' }).click();
      const alert = page.getByRole('alert').filter({ hasText: 'Could not load' }).first();
      await alert.waitFor();
      expect(await alert.textContent()).toContain(
        failure === 'offline' ? 'cannot be reached' : `Refused by status ${failure}`,
      );
      await page.unroute(requests, fail);
      // It may disappear before it is clicked.
      const again = alert.getByRole('button', { name: 'Try again' });
      while (await alert.isVisible()) await again.click({ timeout: 1_000 }).catch(() => {});
      await page.getByText(content).first().waitFor();
    }
  });

  test('once only loads by itself', async () => {
    let requests = 0;
    await page.route(/\/TEST\/mntner\/EXAMPLE-MNT/, (route) => {
      if (route.request().resourceType() === 'document') return route.fallback();
      return requests++ === 0 ? route.fulfill({ status: 503, headers: { 'retry-after': '1' } }) : route.fallback();
    });
    await open('/-/object/TEST/mntner/EXAMPLE-MNT');
    await page.getByText('mnt-by').first().waitFor();
    expect(requests).toBe(2);
    expect(await page.getByRole('alert').filter({ hasText: 'Could not load' }).count()).toBe(0);
  });
});
