import { readFile } from 'node:fs/promises';
import type { Page, Route } from 'playwright-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { seriousViolations } from '../harness/accessibility.js';
import { describeWeb } from '../harness/describe-web.js';
import { eventually } from '../harness/eventually.js';
import { restClient } from '../harness/rest.js';

const log = `192.0.2.77 - - [23/Nov/2026:10:00:01 +0000] "GET /secret HTTP/1.1" 200
192[.]0[.]2[.]77, 2001:db8::1 and 10.1.2.3 of AS64500; 8.8.8.8
`;

test('POST /bulk-lookup describes resources of the registry, in each form', async () => {
  const rest = restClient(inject('sharedSystem'));
  const send = (accept: string) =>
    rest('/bulk-lookup', { method: 'POST', accept, contentType: 'text/plain', body: '192.0.2.77\nAS64500\n8.8.8.8\n' });
  try {
    const { resources } = JSON.parse((await send('application/json')).text);
    expect(resources).toMatchObject([
      {
        resource: '192.0.2.77',
        network: { type: 'inetnum', key: '192.0.2.0 - 192.0.2.255', name: 'EXAMPLE-NET', countries: ['NL'] },
        'resource-holder': { key: 'ORG-EX1-TEST' },
        'abuse-contact': { key: 'EN1-TEST', email: 'abuse@example.net', suspect: false },
        routes: [{ prefix: '192.0.2.0/24', origin: 'AS64500' }],
      },
      { resource: 'AS64500', network: { type: 'aut-num', key: 'AS64500', name: 'EXAMPLE-AS' } },
      { resource: '8.8.8.8', routes: [] },
    ]);
    const lines = (await send('application/x-ndjson')).text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(resources);
    expect((await send('text/csv')).text.split('\r\n')[1]).toMatch(/^192\.0\.2\.77,192\.0\.2\.0 - 192\.0\.2\.255,/);
  } finally {
    rest.close();
  }
});

describeWeb('the page of bulk lookups', ({ pages }) => {
  let page: Page;

  beforeAll(async () => {
    page = await pages.newPage({ acceptDownloads: true });
  });

  const field = () => page.getByLabel('A log, a list or any other text');
  const status = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
  const rows = () => page.locator('tbody tr');

  test('finds resources in a log, sends only these, and shows what the registry knows', async () => {
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/bulk-lookup')) sent.push(request.postData() ?? '');
    });
    await pages.open(page, '/');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Bulk lookup' }).click();
    await field().fill(log);
    await status('5 resources, found 6 times');
    await page.getByRole('button', { name: 'Look up 5' }).click();
    await status('5 looked up');
    expect(sent.map((body) => JSON.parse(body))).toEqual([
      { resources: expect.arrayContaining(['192.0.2.77', '2001:db8::1', 'AS64500', '8.8.8.8', '10.1.2.3']) },
    ]);
    expect(page.url()).toMatch(/\/-\/bulk$/);
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Result');
    // The status shows the end a moment before the last rows are rendered.
    await eventually(async () => {
      const texts = await rows().allInnerTexts();
      expect(texts[0]).toMatch(/192\.0\.2\.77 ×2.*EXAMPLE-NET.*Example Networks.*NL.*abuse@example\.net.*AS64500/s);
      expect(texts.find((text) => text.startsWith('10.1.2.3'))).toContain('not registered here (private)');
      expect(texts.find((text) => text.startsWith('8.8.8.8'))).toContain('not registered here');
      expect(await page.locator('a[href="mailto:abuse@example.net"]').count()).toBe(3);
    });
    expect(await seriousViolations(page)).toEqual([]);
  });

  test('sorts, filters and saves what it shows, and keeps it while one looks at an object', async () => {
    const resource = page.getByRole('columnheader', { name: 'Resource' });
    await resource.getByRole('button').click();
    expect(await resource.getAttribute('aria-sort')).toBe('ascending');
    expect(await rows().first().textContent()).toMatch(/^8\.8\.8\.8/);
    await page.getByLabel('Filter').fill('example-net');
    await expect.poll(() => rows().count()).toBe(2);
    const saved = async (name: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: `Save ${name}` }).click(),
      ]);
      return readFile(await download.path(), 'utf8');
    };
    expect((await saved('CSV')).split('\r\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^resource,count,network,/),
      expect.stringMatching(/^192\.0\.2\.77,2,192\.0\.2\.0 - 192\.0\.2\.255,EXAMPLE-NET,NL,/),
    ]);
    expect(JSON.parse(await saved('JSON'))).toMatchObject([{ resource: '192.0.2.77', count: 2 }, {}]);
    await rows().first().getByRole('link', { name: '192.0.2.0 - 192.0.2.255' }).click();
    await page.getByRole('heading', { name: '192.0.2.0 - 192.0.2.255' }).first().waitFor();
    await page.goBack();
    await status('5 looked up');
    await expect.poll(() => rows().count()).toBe(5);
  });

  test('reads a file, page by page of its rows, on a phone too', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const buffer = Buffer.from(Array.from({ length: 250 }, (_, n) => `{"ip":"192.0.2.${n}"}`).join('\n'));
    await page.getByLabel('choose one').setInputFiles({ name: 'access.log', mimeType: 'text/plain', buffer });
    await status('access.log: 250 resources');
    await page.getByRole('button', { name: 'Look up 250' }).click();
    await status('250 looked up');
    await status('Rows 1 to 100 of 250');
    await page.getByRole('button', { name: 'Next' }).click();
    await status('Rows 101 to 200 of 250');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const texts = rows().first();
    for (const part of ['Network', 'Holder', 'Country', 'Abuse contact', 'Origin'])
      expect(await texts.locator(`td[data-label="${part}"]`).boundingBox()).toMatchObject({
        x: expect.closeTo(20, -2),
      });
    expect(await texts.getByRole('link', { name: 'abuse@example.net' }).isVisible()).toBe(true);
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove the file' }).click();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('A table with network').waitFor();
  });

  test('has had no errors so far', () => {
    expect(pages.complaints).toEqual([]);
  });

  test.each([403, 500, 503, 'offline'] as const)('says why it failed and goes on: %s', async (failure) => {
    const fail = (route: Route) => {
      if (failure === 'offline') return route.abort('internetdisconnected');
      const errormessage = [{ severity: 'Error', text: 'Refused by %s', args: [{ value: `status ${failure}` }] }];
      return route.fulfill({ status: failure, json: { errormessages: { errormessage } } });
    };
    await page.route(/\/bulk-lookup$/, fail);
    await field().fill('192.0.2.77');
    await page.getByRole('button', { name: 'Look up 1' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: failure === 'offline' ? 'cannot be reached' : `Refused by status ${failure}` })
      .waitFor();
    await page.getByRole('button', { name: 'Save incomplete CSV' }).waitFor();
    await page.unroute(/\/bulk-lookup$/, fail);
    await page.getByRole('button', { name: 'Continue' }).click();
    await status('1 looked up');
  });
});
