import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeWeb } from '../harness/describe-web.js';
import { loadObjects } from '../harness/load-objects.js';
import { whoisClient } from '../harness/whois.js';

const guide = readFileSync(new URL('../../../../docs/use/web.md', import.meta.url), 'utf8');
/** The clicks, fields and keys of each job, as the guide says. */
const documented = new Map(
  [...guide.matchAll(/^\| (\d+)\. [^|]+\| (\d+) \| (\d+) \| (\d+) \|/gm)].map(
    ([, job, ...counts]): [job: number, effort: number[]] => [Number(job), counts.map(Number)],
  ),
);

/** What a user does on a page, counted: clicks, fields that are filled in or chosen, and keys. */
function userOf(page: Page) {
  let [clicks, fields, keys] = [0, 0, 0];
  return {
    page,
    effort: () => [clicks, fields, keys],
    click: async (target: Locator) => {
      await target.click();
      clicks += 1;
    },
    fill: async (label: string, text: string) => {
      await page.getByLabel(label, { exact: true }).fill(text);
      fields += 1;
    },
    choose: async (label: string, option: string) => {
      await page.getByLabel(label, { exact: true }).selectOption(option);
      fields += 1;
    },
    press: async (key: string) => {
      await page.keyboard.press(key);
      keys += 1;
    },
    button: (name: string | RegExp) => page.getByRole('button', { name }),
    link: (name: string | RegExp) => page.getByRole('link', { name }).first(),
    sees: (text: string | RegExp) => page.getByText(text).first().waitFor(),
  };
}

type User = ReturnType<typeof userOf>;

async function search({ fill, press }: User, text: string): Promise<void> {
  await fill('Search the registry', text);
  await press('Enter');
}

const contacts = 'admin-c: AE1-TEST\ntech-c: AE1-TEST\n';
const setText = (key: string, descr: string, remarks: string) =>
  `as-set: ${key}\ndescr: ${descr}\nremarks: ${remarks}\n${contacts}mnt-by: EXAMPLE-MNT\nmnt-by: JOBS-MNT\nsource: TEST\n`;

describeWeb('ten jobs of a user, each from the home page', ({ system, rest, pages }) => {
  let visitor: Page;
  let bob: Page;

  beforeAll(async () => {
    visitor = await pages.newPage();
    bob = await pages.newPage();
    await pages.signIn(bob, 'bob@example.net');
    // Other tests may make him other maintainers.
    const own = { maintainers: [{ source: 'TEST', key: 'JOBS-MNT' }], incomplete: false };
    await bob.route('**/session/maintainers', (route) => route.fulfill({ json: own }));
  });
  async function walk(job: number, page: Page, steps: (user: User) => Promise<void>): Promise<void> {
    await pages.open(page, '/');
    const user = userOf(page);
    await steps(user);
    expect(user.effort(), 'docs/use/web.md').toEqual(documented.get(job));
  }

  test('1. who holds an address', () =>
    walk(1, visitor, async (user) => {
      await search(user, '192.0.2.77');
      await user.sees('is held by');
    }));

  test('2. whom to report abuse to, for a log', () =>
    walk(2, visitor, async ({ click, fill, link, button, sees }) => {
      await click(link('Bulk lookup'));
      await fill('A log, a list or any other text', '10:00:01 192.0.2.77 GET /\n10:00:02 2001:db8::1 GET /\n');
      await click(button('Look up 2'));
      await sees('abuse@example.net');
    }));

  test('3. the routes of an AS', () =>
    walk(3, visitor, async (user) => {
      await search(user, 'AS64500');
      await user.click(user.link('All routes from AS64500'));
      await user.link('192.0.2.0/24AS64500').waitFor();
    }));

  test('4. the first maintainer', () =>
    walk(4, bob, async ({ click, fill, link, button, sees }) => {
      await click(link('Create'));
      await click(link('a maintainer and its contact'));
      await fill('Name of the maintainer', 'JOBS-MNT');
      await fill('Your name', 'Joan Jobs');
      await fill('Postal address', '1 Example Street');
      await fill('Phone', '+31 20 555 0100');
      await click(button('Create both'));
      await sees('Created. Next:');
    }));

  test('5. a network, its route and its reverse zones', async () => {
    await loadObjects(system, [
      `inetnum: 100.68.0.0 - 100.68.3.255\nnetname: JOBS\ncountry: NL\nstatus: ALLOCATED PA\n${contacts}mnt-by: JOBS-MNT\nsource: TEST\n`,
    ]);
    await walk(5, bob, async ({ page, click, fill, choose, link, button, sees }) => {
      const save = async () => {
        await sees('Can be saved');
        await click(button('Save'));
        await sees('Created. Next:');
      };
      await click(link('My resources'));
      await click(link('100.68.0.0/22'));
      await click(link('Create inetnum'));
      await fill('netname', 'JOBS-OFFICE');
      await choose('country', 'NL');
      for (const contact of ['admin-c', 'tech-c']) await fill(contact, 'AE1-TEST');
      await choose('status', 'ASSIGNED PA');
      await save();
      await click(link('a route'));
      await fill('origin', 'AS64500');
      await sees('Can be saved');
      await click(button('Save'));
      await sees('Created.');
      await click(page.locator('.facts').getByRole('link', { name: '100.68.0.0 - 100.68.0.255' }));
      await click(link('Reverse zones'));
      await fill('nserver', 'ns1.example.net\nns2.example.net');
      for (const contact of ['admin-c', 'tech-c', 'zone-c']) await fill(contact, 'AE1-TEST');
      await click(button('Check'));
      await click(button('Create the zone'));
      await sees('The zone is created');
    });
  });

  describe('with objects of his', () => {
    beforeAll(() =>
      loadObjects(
        system,
        ['AS-JOBS1', 'AS-JOBS2'].map((key) => setText(key, 'A set', 'old')),
      ),
    );

    test('6. edit beside somebody else', () =>
      walk(6, bob, async (user) => {
        const { click, fill, link, button, sees } = user;
        await search(user, 'AS-JOBS1');
        await click(link('AS-JOBS1'));
        await click(link('Edit'));
        await fill('descr', 'Mine');
        await sees('Can be saved');
        const { update } = whoisClient(rest, system.credential);
        expect((await update('as-set', 'AS-JOBS1', setText('AS-JOBS1', 'A set', 'theirs'))).status).toBe(200);
        await click(button('Save'));
        await sees('Someone else changed this object');
        await click(button('Continue with the result'));
        await sees('Can be saved');
        await click(button('Save'));
        await sees('Saved as version 3.');
        expect((await rest('/TEST/as-set/AS-JOBS1.txt')).text).toMatch(/descr: +Mine\nremarks: +theirs\n/);
      }));

    test('7. one change of many objects', () =>
      walk(7, bob, async ({ click, fill, choose, link, button, sees }) => {
        await click(link('Create'));
        await click(link('make one change in all'));
        await fill('Objects', 'as-set AS-JOBS1\nas-set AS-JOBS2');
        await click(button('Choose 2 objects'));
        await choose('Operation', 'add');
        await choose('Attribute', 'remarks');
        await fill('New value', 'both');
        await sees('Can be saved');
        await click(button('Save 2 objects'));
        await sees('2 objects are saved');
      }));
  });

  test('8. a key for programs', () =>
    walk(8, bob, async ({ page, click, fill, link, button }) => {
      await click(link('Account'));
      await fill('Purpose', 'ten jobs');
      await click(button('Create key'));
      await page.locator('.secret').waitFor();
      await click(button('I have it'));
      await page.getByRole('rowheader', { name: 'ten jobs' }).waitFor();
    }));

  test('9. a webhook', () =>
    walk(9, bob, async ({ page, click, fill, link, button, sees }) => {
      await click(link('Account'));
      await click(link('Webhooks'));
      await fill('URL', 'https://hooks.example.net/ten-jobs');
      await click(button('Create webhook'));
      await sees('waits until the URL accepts a test event');
      await click(button('I have it'));
      await page.getByRole('article', { name: 'Webhook https://hooks.example.net/ten-jobs' }).waitFor();
    }));

  test('10. an object as it was', () =>
    walk(10, visitor, async (user) => {
      const { page, click, fill, link, button, sees } = user;
      await search(user, '192.0.2.77');
      await click(page.locator('.answer').getByRole('link', { name: '192.0.2.0 - 192.0.2.255' }));
      await click(link('History'));
      await click(page.getByText('Earlier states'));
      // At a full minute, Chromium writes the field without seconds.
      const now = Date.now();
      const moment = new Date(now).getUTCSeconds() === 0 ? now - 1000 : now;
      await fill('As of date and time (UTC)', new Date(moment).toISOString().slice(0, 19));
      await click(button('Show'));
      await sees('This is the state of');
    }));

  test('the guide has a row for each, and no page logged an error', () => {
    expect([...documented.keys()]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(pages.complaints).toEqual([]);
  });
});
