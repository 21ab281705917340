import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeWeb } from '../harness/describe-web.js';
import { loadObjects } from '../harness/load-objects.js';
import { whoisClient } from '../harness/whois.js';

/** What a user does at a control of a form: types a text there, or presses Enter. */
type Step = readonly [label: string, typed?: string];

const network =
  'inetnum: 100.67.0.0 - 100.67.0.255\nnetname: KEYS\ncountry: NL\nstatus: ASSIGNED PA\nadmin-c: AE1-TEST\ntech-c: AE1-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n';

/** The forms, from empty, in the order of their controls; some use what those before them created. */
const forms: readonly (readonly [name: string, path: string, steps: readonly Step[], says: string | RegExp])[] = [
  [
    'the first maintainer',
    '/-/create/first',
    [
      ['Name of the maintainer', 'KEYS-MNT'],
      ['Your name', 'Carol Keys'],
      ['Postal address', '1 Example Street'],
      ['Phone', '+31 20 555 0100'],
      ['Create both'],
    ],
    /^Created\./,
  ],
  [
    'an object',
    '/-/create/as-set',
    [['as-set', 'AS-FORM'], ['tech-c', 'AE1-TEST'], ['admin-c', 'AE1-TEST'], ['mnt-by', 'KEYS-MNT'], ['Save']],
    /^Created\./,
  ],
  [
    'reverse zones',
    '/-/create/domains',
    [
      ['Prefix or range', '100.67.0.0/24'],
      ['nserver', 'ns1.example.net\nns2.example.net'],
      ['admin-c', 'AE1-TEST'],
      ['tech-c', 'AE1-TEST'],
      ['zone-c', 'AE1-TEST'],
      ['mnt-by', 'EXAMPLE-MNT'],
      ['descr', 'Zones by keyboard'],
      ['Check'],
      ['Create the zone'],
    ],
    'The zone is created',
  ],
  ['a bulk lookup', '/-/bulk', [['A log, a list or any other text', '192.0.2.77'], ['Look up 1']], '1 looked up'],
  [
    'an API key',
    '/-/account',
    [['Purpose', 'by keyboard'], ['Acts for', 'KEYS-MNT'], ['Create key'], ['I have it']],
    'by keyboard',
  ],
  [
    'a webhook',
    '/-/webhooks',
    [
      ['URL', 'https://hooks.example.net/keys'],
      ['Maintained by', 'KEYS-MNT'],
      ['Events have', 'names and text'],
      ['Create webhook'],
      ['I have it'],
    ],
    'https://hooks.example.net/keys',
  ],
  [
    'one change of many objects',
    '/-/edit-many',
    [
      ['Objects', 'as-set AS-FORM'],
      ['Choose 1 object'],
      ['Operation', 'Add a value'],
      ['Attribute', 'remarks'],
      ['New value', 'changed by keyboard'],
      ['Save 1 object'],
    ],
    '1 object is saved',
  ],
  [
    'a deletion',
    '/-/edit/TEST/as-set/AS-FORM',
    [
      ['Delete this object'],
      ['Reason for the history, which everybody can read', 'by keyboard'],
      ['Check the deletion'],
      ['Delete AS-FORM'],
    ],
    'Deleted',
  ],
];

describeWeb('the web interface by keyboard', ({ system, rest, pages }) => {
  let alice: Page;
  const path = '/-/edit/TEST/as-set/AS-KEYBOARD';

  beforeAll(async () => {
    alice = await pages.newPage();
    const text =
      'as-set: AS-KEYBOARD\nremarks: first\nremarks: second\ntech-c: AE1-TEST\nadmin-c: AE1-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n';
    expect((await whoisClient(rest, system.credential).create('as-set', text)).status).toBe(200);
    await pages.signIn(alice, 'alice@example.net');
  });
  /** The name or the text of what has the focus. */
  const focusedIn = (page: Page) =>
    page.evaluate<string>(
      'document.activeElement.labels?.[0]?.textContent ?? document.activeElement.ariaLabel ?? document.activeElement.textContent',
    );
  const focused = () => focusedIn(alice);
  const focusIs = (name: string) => expect.poll(focused).toBe(name);
  const remarks = (nth: number) => alice.getByLabel('remarks', { exact: true }).nth(nth);
  const isSaved = () => alice.waitForURL('**/-/object/TEST/as-set/AS-KEYBOARD');
  const stored = async () => (await rest('/TEST/as-set/AS-KEYBOARD.txt')).text;

  async function press(button: string) {
    await alice.getByRole('button', { name: button, exact: true }).focus();
    await alice.keyboard.press('Enter');
  }

  /** Presses Tab until a control has the focus. */
  async function tabTo(page: Page, name: string) {
    const control = page
      .getByRole('main')
      .getByLabel(name, { exact: true })
      .or(page.getByRole('main').getByText(name, { exact: true }))
      .locator('visible=true')
      .first();
    await expect.poll(() => control.isEnabled()).toBe(true);
    for (let presses = 0; (await focusedIn(page)) !== name; presses++) {
      expect(presses, `${name} is not reached by Tab`).toBeLessThan(100);
      await page.keyboard.press('Tab');
    }
  }

  const focusedValue = (page: Page) =>
    page.evaluate<string>('document.activeElement.selectedOptions?.[0].text ?? document.activeElement.value');

  const isChoice = (page: Page) => page.evaluate<boolean>('document.activeElement.localName === "select"');

  /**
   * Types the text of an option. Types it again when the machine stopped for a second between two letters: a browser
   * forgets the letters before.
   */
  async function chooseByKeys(page: Page, label: string, option: string) {
    const typed = async () => {
      await page.keyboard.type(option);
      return [await focusedIn(page), await focusedValue(page)];
    };
    await expect.poll(typed, { interval: 1_500 }).toEqual([label, option]);
  }

  describe('every form is filled in from empty', () => {
    let carol: Page;
    beforeAll(async () => {
      await loadObjects(system, [network]);
      carol = await pages.newPage();
      await pages.signIn(carol, 'carol@example.net');
    });

    test.each(forms)('%s', async (name, path, steps, says) => {
      const page = name === 'reverse zones' ? alice : carol;
      await pages.open(page, path);
      for (const [label, typed] of steps) {
        await tabTo(page, label);
        if (typed === undefined) await page.keyboard.press('Enter');
        else if (await isChoice(page)) await chooseByKeys(page, label, typed);
        else {
          await page.keyboard.type(typed);
          expect([await focusedIn(page), await focusedValue(page)]).toEqual([label, typed]);
        }
      }
      await page.getByRole('main').getByText(says).first().waitFor();
    });
  });

  test('an added attribute has the focus; when one is removed, the next one has it', async () => {
    await pages.open(alice, path);
    await alice.getByLabel('Attribute to add').selectOption('descr');
    await press('Add');
    await focusIs('descr');
    await alice.keyboard.type('Sets by keyboard');
    await press('Remove remarks first');
    await focusIs('About remarks');
    expect(await remarks(0).inputValue()).toBe('second');
    await press('Remove remarks second');
    await focusIs('About descr');
  });

  test('Escape, and a click elsewhere, close the help of an attribute', async () => {
    await pages.open(alice, path);
    const help = alice.locator('.help[open]');
    await alice.getByLabel('About tech-c').focus();
    for (const leave of [() => alice.keyboard.press('Escape'), () => alice.getByRole('heading').first().click()]) {
      await alice.keyboard.press('Enter');
      await help.waitFor();
      await leave();
      await help.waitFor({ state: 'detached' });
    }
  });

  test('Enter in a field saves what the registry has checked', async () => {
    await pages.open(alice, path);
    await remarks(1).fill('saved by Enter');
    await alice.getByText('Can be saved').waitFor();
    await alice.keyboard.press('Enter');
    await isSaved();
    expect(await stored()).toContain('saved by Enter');
    await alice.getByText('Saved as version 2.').waitFor();
    await alice.getByRole('link', { name: 'See the change' }).waitFor();
    await alice.reload();
    await alice.getByRole('heading', { name: 'AS-KEYBOARD' }).waitFor();
    expect(await alice.getByText('Saved as version').count()).toBe(0);
    await pages.open(alice, '/-/edit/TEST/as-set/AS-KEYBOARD?restore=1');
    await remarks(1).waitFor();
    expect(await remarks(1).inputValue()).toBe('second');
  });

  test('Ctrl+S directly after typing saves once the registry has checked it; faults are not saved', async () => {
    await pages.open(alice, path);
    const field = alice.getByLabel('tech-c', { exact: true });
    await field.fill('no handle');
    await alice.keyboard.press('Control+s');
    await alice.locator('.form-row .error').waitFor();
    expect(new URL(alice.url()).pathname).toBe(path);
    await field.fill('AE1-TEST');
    await remarks(1).fill('saved by Ctrl+S');
    await alice.keyboard.press('Control+s');
    await isSaved();
    expect(await stored()).toContain('saved by Ctrl+S');
  });

  test('Enter in the reason of a deletion only checks it, and the result has the focus', async () => {
    await pages.open(alice, path);
    await alice.getByText('Delete this object').click();
    await alice.getByLabel('Reason for the history').fill('by keyboard');
    await alice.keyboard.press('Enter');
    await expect.poll(focused).toContain('The object can be deleted');
    await alice.keyboard.press('Tab');
    await focusIs('Delete AS-KEYBOARD');
  });

  test('a created key has the focus until it is copied; revoking one asks, and keeps the place', async () => {
    await pages.open(alice, '/-/account');
    await alice.getByLabel('Purpose').fill('keyboard');
    await alice.keyboard.press('Enter');
    await focusIs('Copy your key now: it is shown only once');
    await press('I have it');
    await focusIs('API keys');
    await press('Revoke keyboard');
    await focusIs('Keep');
    await alice.keyboard.press('Enter');
    await focusIs('Revoke keyboard');
    await alice.keyboard.press('Enter');
    await press('Revoke keyboard for good');
    await focusIs('keyboard');
    await alice.getByRole('row', { name: 'keyboard' }).getByText('revoked').waitFor();
    await focusIs('keyboard');
  });

  test('who tries a failed page again stays on it', async () => {
    await alice.route(/\/versions/, (route) => route.fulfill({ status: 503 }));
    await pages.open(alice, '/-/object/TEST/as-set/AS-KEYBOARD?view=history');
    const again = alice.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await alice.unrouteAll();
    await again.focus();
    await alice.keyboard.press('Enter');
    await alice.getByRole('cell', { name: 'Created' }).waitFor();
    await expect.poll(focused).toContain('AS-KEYBOARD');
  });

  test('Back, Forward and reload show the place where a page was left, also when it loads slowly', async () => {
    const page = await pages.newPage({ viewport: { width: 390, height: 500 } });
    const scrolled = () => page.evaluate('Math.round(scrollY)');
    await page.route('**/search?*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.fallback();
    });
    await pages.open(page, '/-/query?q=192.0.2.77&level=all-less');
    const link = page.getByRole('article').last().getByRole('link', { name: 'EXAMPLE-MNT' }).last();
    await link.waitFor();
    await link.scrollIntoViewIfNeeded();
    const place = await scrolled();
    expect(place).toBeGreaterThan(500);
    await link.click();
    await page.getByText('Maintainer of the example network').waitFor();
    await expect.poll(scrolled).toBe(0);
    await page.goBack();
    await expect.poll(scrolled).toBe(place);
    await page.reload();
    await expect.poll(scrolled).toBe(place);
    await page.goForward();
    await page.getByText('Maintainer of the example network').waitFor();
    await expect.poll(scrolled).toBe(0);
    await page.context().close();
  });
});
