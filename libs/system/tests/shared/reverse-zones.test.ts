import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { seriousViolations } from '../harness/accessibility.js';
import { describeWeb } from '../harness/describe-web.js';
import { loadObjects } from '../harness/load-objects.js';

const contacts = 'admin-c: AE1-TEST\ntech-c: AE1-TEST\n';
const end = 'mnt-by: EXAMPLE-MNT\nsource: TEST\n';
const objects = [
  `inetnum: 100.66.0.0 - 100.66.1.191\nnetname: ZONES\ncountry: NL\nstatus: ASSIGNED PA\n${contacts}${end}`,
  `domain: 0.66.100.in-addr.arpa\n${contacts}zone-c: AE1-TEST\nnserver: ns1.example.net\nnserver: ns2.example.net\n${end}`,
];

describeWeb('the reverse zones of a prefix', ({ system, rest, pages }) => {
  let page: Page;

  beforeAll(async () => {
    await loadObjects(system, objects);
    page = await pages.newPage();
  });
  const zone = (name: string) => page.getByRole('checkbox', { name });

  test('a network leads to them, and those that exist are told', async () => {
    await pages.open(page, '/-/object/TEST/inetnum/100.66.0.0%20-%20100.66.1.191');
    await page.getByRole('link', { name: 'Reverse zones' }).click();
    await page.getByRole('heading', { name: 'Reverse zones of a prefix' }).waitFor();
    await page.getByRole('link', { name: 'exists' }).waitFor();
    expect(await zone('0.66.100.in-addr.arpa').isDisabled()).toBe(true);
    expect(await zone('0-191.1.66.100.in-addr.arpa').isChecked()).toBe(true);
    expect(await page.getByRole('button', { name: 'Check' }).isDisabled()).toBe(true);
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByLabel('Prefix or range').fill('10.0.0.0/9');
    await page.getByText('more than 100 zones').waitFor();
    await page.getByLabel('Prefix or range').fill('10.0.0.1/9');
    await page.getByText('This is not a prefix').waitFor();
  });

  test('the empty form is filled in with the keyboard only', async () => {
    const own = await pages.newPage();
    await pages.open(own, '/-/create/domains');
    await own.getByLabel('Prefix or range').focus();
    const typed = ['100.66.7.0/24', 'ns1.example.net', 'AE1-TEST', 'AE2-TEST', 'AE3-TEST', 'EXAMPLE-MNT'];
    for (const value of typed) {
      await own.keyboard.type(value);
      await own.keyboard.press('Tab');
    }
    const labels = ['Prefix or range', 'nserver', 'admin-c', 'tech-c', 'zone-c', 'mnt-by'];
    const values = await Promise.all(labels.map((label) => own.getByLabel(label).inputValue()));
    expect(values).toEqual(typed);
    await own.close();
  });

  test('what is entered outlives the sign-in, and the zones are created together after a dry run', async () => {
    await pages.open(page, '/-/create/domains?prefix=100.66.1.0/25');
    await page.getByLabel('nserver').fill('ns1.example.net\n-wrong-');
    await page.getByText('This is not a name server: -wrong-').waitFor();
    expect(await page.title()).toBe('Reverse zones · Cadastre');
    await page.getByLabel('nserver').fill('ns1.example.net\nns2.example.net');
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'alice@example.net' }).click();
    await page.getByLabel('Prefix or range').waitFor();
    expect(await page.getByLabel('Prefix or range').inputValue()).toBe('100.66.1.0/25');
    expect(await page.getByLabel('nserver').inputValue()).toBe('ns1.example.net\nns2.example.net');
    await page.getByLabel('Prefix or range').fill('100.66.1.0 - 100.66.1.191');
    for (const name of ['admin-c', 'tech-c', 'zone-c']) await page.getByLabel(name).fill('AE1-TEST');
    await page.getByLabel('mnt-by').fill('NONE-MNT');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('heading', { name: 'The zones cannot be created' }).waitFor();
    await page.getByLabel('mnt-by').fill('EXAMPLE-MNT');
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByRole('heading', { name: 'All zones can be created' }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create the zone' }).click();
    await page.getByRole('heading', { name: 'The zone is created' }).waitFor();
    const stored = await rest('/TEST/domain/0-191.1.66.100.in-addr.arpa.txt');
    expect(stored.text).toMatch(/nserver: +ns1\.example\.net\nnserver: +ns2\.example\.net\n/);
    await page.getByRole('link', { name: '0-191.1.66.100.in-addr.arpa' }).click();
    await page.getByRole('heading', { name: '0-191.1.66.100.in-addr.arpa' }).waitFor();
  });
});
