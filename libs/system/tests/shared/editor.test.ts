import type { Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { violationsInBothLooks } from '../harness/accessibility.js';
import { describeWeb } from '../harness/describe-web.js';
import { eventually } from '../harness/eventually.js';
import { jsonBody } from '../harness/whois.js';

describeWeb('the editor of the web interface', ({ system, rest, pages }) => {
  /** The browser of Alice, who maintains the objects of EXAMPLE-MNT. */
  let home: Page;
  /** A new tab of Alice. */
  let alice: Page;
  /** A user without a session. */
  let visitor: Page;
  const edit = '/-/edit/TEST/as-set/AS-EDITED';

  beforeAll(async () => {
    visitor = await pages.newPage();
    home = await pages.newPage();
    await write('POST', 'as-set', asSet());
    await signIn(home);
  });

  beforeEach(async () => {
    await write('PUT', 'as-set/AS-EDITED', asSet());
    alice = await home.context().newPage();
  });

  afterEach(() => alice.close());

  const asSet = (remarks = 'first', descr = 'A set') =>
    `as-set: AS-EDITED\ndescr: ${descr}\nremarks: ${remarks}\ntech-c: AE1-TEST\nadmin-c: AE1-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n`;

  /** Writes an object as another client. */
  async function write(method: string, path: string, text: string) {
    const { credential } = system;
    const body = jsonBody(text);
    const answer = await rest(`/TEST/${path}`, { method, credential, contentType: 'application/json', body });
    expect(answer.status).toBe(200);
  }

  async function signIn(page: Page) {
    await pages.open(page, '/session/login?return=/');
    await page.getByRole('button', { name: 'alice@example.net' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  }

  /** The stored text of AS-EDITED. */
  const stored = async () => (await rest('/TEST/as-set/AS-EDITED.txt')).text;
  const remarks = (page: Page) => page.getByLabel('remarks', { exact: true });
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first();

  /** Opens AS-EDITED in the editor and changes its remarks. */
  async function begin(page: Page, value: string) {
    await pages.open(page, edit);
    await remarks(page).fill(value);
  }

  async function save(page: Page) {
    await page.getByText('Can be saved').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/-/object/TEST/as-set/AS-EDITED');
  }

  /** Does something that makes the browser ask for confirmation, and stays or leaves. */
  async function requested(page: Page, answer: 'stay' | 'leave', act: () => Promise<unknown>) {
    const question = page.waitForEvent('dialog');
    const done = act();
    await (await question)[answer === 'leave' ? 'accept' : 'dismiss']();
    await done;
  }

  test('an object that does not exist has a page with the message filled in, and its history', async () => {
    await pages.open(visitor, '/-/edit/TEST/person/NO99-TEST');
    await visitor.getByRole('button', { name: 'Try without an account' }).click();
    await heading(visitor, 'Nothing to edit').waitFor();
    const text = await visitor.locator('main').textContent();
    expect(text).toContain('No entries found in source TEST.');
    expect(text).not.toContain('%s');
    await visitor.getByRole('link', { name: 'history' }).waitFor();
  });

  test('enumerations are chosen with their meaning, and a written value stays a choice', async () => {
    await pages.open(visitor, '/-/create/inetnum');
    await visitor.getByLabel('status', { exact: true }).selectOption('ASSIGNED PI');
    const country = visitor.getByLabel('country', { exact: true });
    expect(await country.locator('option:checked').textContent()).toBe('Choose …');
    expect(await country.locator('option[value=NL]').textContent()).toBe('NL: Netherlands');
    await country.selectOption('NL');
    await visitor.getByRole('button', { name: 'Text' }).click();
    const text = visitor.getByLabel('The object as text');
    expect(await text.inputValue()).toMatch(/country: +NL\n.*status: +ASSIGNED PI\n/s);
    await text.fill((await text.inputValue()).replace('NL', 'XQ'));
    await visitor.getByRole('button', { name: 'Form' }).click();
    expect(await country.locator('option:checked').textContent()).toBe('XQ (as written)');
    await country.selectOption('SE');
    await country.selectOption('XQ');
  });

  test('a visitor is asked before the editor looks up what other pages do not show him', async () => {
    const page = await pages.newPage();
    const lookups: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('unfiltered') && request.resourceType() === 'fetch') lookups.push(request.url());
    });
    for (const path of ['/-/edit/TEST/person/AE1-TEST', '/-/create/person?like=TEST/person/AE1-TEST']) {
      await pages.open(page, path);
      await page.getByText('Saving needs an account.').waitFor();
      expect(await violationsInBothLooks(page)).toEqual([]);
      expect(lookups).toEqual([]);
    }
    await pages.open(page, '/-/edit/TEST/person/AE1-TEST');
    await page.getByRole('button', { name: 'Try without an account' }).click();
    await page.getByLabel('e-mail', { exact: true }).waitFor();
    expect(lookups).toHaveLength(1);
    await page.context().close();
  });

  test('a wrong value has a message that says what is right', async () => {
    await pages.open(visitor, '/-/edit/TEST/person/AE1-TEST');
    await visitor.getByRole('button', { name: 'Try without an account' }).click();
    await visitor.getByLabel('phone', { exact: true }).fill('nobody knows');
    await visitor.getByText('Allowed: "+", country code and number').waitFor();
  });

  test('a new route shows what ROAs say about it, or that they are not checked', async () => {
    const page = await pages.newPage();
    await pages.open(page, '/-/create/route');
    await page.getByLabel('route', { exact: true }).fill('192.0.2.0/25');
    await page.getByLabel('origin', { exact: true }).fill('AS64500');
    await page.getByText('ROAs are not checked here').waitFor();
    const text = 'ROA invalid: AS%d may originate %s, at most /%d';
    const args = ['64511', '192.0.2.0/24', '24'].map((value) => ({ value }));
    const errormessage = [{ severity: 'Warning', text, args, attribute: { name: 'origin', value: 'AS64501' } }];
    await page.route('**/TEST/route?*', (route) => route.fulfill({ json: { errormessages: { errormessage } } }));
    await page.getByLabel('origin', { exact: true }).fill('AS64501');
    await page.getByText('ROA invalid: AS64511 may originate 192.0.2.0/24, at most /24').waitFor();
    expect(await page.getByText('ROAs are not checked here').count()).toBe(0);
    await page.context().close();
  });

  test('leaving without changes asks nothing', async () => {
    await pages.open(alice, '/');
    await pages.open(alice, edit);
    await remarks(alice).fill('changed');
    await remarks(alice).fill('first');
    await alice.getByText('Nothing is changed yet').waitFor();
    let questions = 0;
    alice.on('dialog', (dialog) => {
      questions++;
      return dialog.dismiss();
    });
    await alice.reload();
    await remarks(alice).waitFor();
    await alice.getByRole('link', { name: 'Create' }).click();
    await heading(alice, 'Create an object').waitFor();
    await alice.goBack();
    await remarks(alice).waitFor();
    expect(questions).toBe(0);
    expect(await alice.getByText('You have unsaved changes').count()).toBe(0);
  });

  test('a link, Back and a reload ask when there are changes, and lose none when the user stays', async () => {
    await pages.open(alice, '/-/object/TEST/as-set/AS-EDITED');
    await alice.getByRole('link', { name: 'Edit' }).click();
    await remarks(alice).fill('not saved');
    const stays = async (act: () => Promise<unknown>) => {
      await requested(alice, 'stay', act);
      await eventually(() => expect(new URL(alice.url()).pathname).toBe(edit));
      expect(await remarks(alice).inputValue()).toBe('not saved');
    };
    await stays(() => alice.getByRole('link', { name: 'Account' }).click());
    await stays(() => alice.getByRole('link', { name: 'Cancel' }).click());
    await stays(() => alice.evaluate('history.back()'));
    await stays(() => alice.evaluate('location.reload()'));
    await requested(alice, 'leave', () => alice.getByRole('link', { name: 'Account' }).click());
    await heading(alice, 'Account').waitFor();
  });

  test('changes outlive a reload: the page offers them, and forgets them when the user does not want them', async () => {
    await begin(alice, 'kept');
    await requested(alice, 'leave', () => alice.reload());
    await alice.getByText(/You have unsaved changes of/).waitFor();
    expect(await remarks(alice).inputValue()).toBe('first');
    expect(await violationsInBothLooks(alice)).toEqual([]);
    await alice.getByRole('button', { name: 'Restore' }).click();
    expect(await remarks(alice).inputValue()).toBe('kept');
    await requested(alice, 'leave', () => alice.reload());
    await alice.getByRole('button', { name: 'Discard' }).click();
    await alice.reload();
    await remarks(alice).waitFor();
    expect(await alice.getByText('You have unsaved changes').count()).toBe(0);
  });

  test('a visitor who signs in comes back to his changes, with what only a maintainer sees', async () => {
    const page = await pages.newPage();
    await pages.open(page, '/-/edit/TEST/mntner/EXAMPLE-MNT');
    await page.getByRole('button', { name: 'Try without an account' }).click();
    await page.getByLabel('descr', { exact: true }).fill('Changed before the sign-in');
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).first().click();
    await page.getByRole('button', { name: 'alice@example.net' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await eventually(async () =>
      expect(await page.getByLabel('descr', { exact: true }).inputValue()).toBe('Changed before the sign-in'),
    );
    await page.getByLabel('auth', { exact: true }).first().waitFor();
    await page.getByText('Can be saved').waitFor();
    const diff = await page.locator('.diff').textContent();
    expect(diff).toContain('Changed before the sign-in');
    expect(diff).not.toContain('Filtered');
    await page.context().close();
  });

  test('a session that ends while the user types is told as such; signing in again keeps the changes', async () => {
    const page = await pages.newPage();
    await signIn(page);
    await begin(page, 'before the end');
    await page.getByText('Can be saved').waitFor();
    await page.context().clearCookies();
    await remarks(page).fill('after the end');
    await page.getByText('Your session has ended. Sign in again; your changes are stored.').waitFor();
    await page.getByText('Sign in again', { exact: true }).waitFor();
    expect(await page.getByText('This needs another maintainer').count()).toBe(0);
    expect(await violationsInBothLooks(page)).toEqual([]);
    await page.getByRole('alert').getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'alice@example.net' }).click();
    await eventually(async () => expect(await remarks(page).inputValue()).toBe('after the end'));
    await save(page);
    expect(await stored()).toMatch(/remarks: +after the end\n/);
    await page.context().close();
  });

  test('a user who signs out is asked, and leaves no changes behind', async () => {
    const page = await pages.newPage();
    await signIn(page);
    await begin(page, 'not for others');
    await requested(page, 'stay', () => page.getByRole('button', { name: 'Sign out' }).click());
    expect(await remarks(page).inputValue()).toBe('not for others');
    await requested(page, 'leave', () => page.getByRole('button', { name: 'Sign out' }).click());
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual([]);
    await page.context().close();
  });

  test('after an outage the check is repeated by itself', async () => {
    await alice.route('**/*dry-run=true*', (route) => route.abort());
    await begin(alice, 'during an outage');
    await alice.getByText('The page checks them again by itself.').waitFor();
    expect(await violationsInBothLooks(alice)).toEqual([]);
    await alice.unroute('**/*dry-run=true*');
    await alice.getByText('Can be saved').waitFor();
    expect(await alice.getByText('cannot be reached').count()).toBe(0);
    await save(alice);
  });

  test('changes kept for later are merged with what was changed meanwhile', async () => {
    await begin(alice, 'mine');
    await requested(alice, 'leave', () => alice.goto(`${system.https}/-/account`));
    await write('PUT', 'as-set/AS-EDITED', asSet('first', 'Their description'));
    await pages.open(alice, edit);
    await alice.getByRole('button', { name: 'Restore' }).click();
    await heading(alice, 'Someone else changed this object').waitFor();
    expect(await violationsInBothLooks(alice)).toEqual([]);
    await alice.getByRole('button', { name: 'Continue with the result' }).click();
    expect(await remarks(alice).inputValue()).toBe('mine');
    expect(await alice.getByLabel('descr', { exact: true }).inputValue()).toBe('Their description');
    await save(alice);
    expect(await stored()).toMatch(/descr: +Their description\nremarks: +mine\n/);
  });

  test('a change of what somebody else changed meanwhile is refused; a three-way view merges both', async () => {
    await begin(alice, 'mine');
    await alice.getByText('Can be saved').waitFor();
    await write('PUT', 'as-set/AS-EDITED', asSet('theirs', 'Their description'));
    await alice.getByRole('button', { name: 'Save' }).click();
    await heading(alice, 'Someone else changed this object').waitFor();
    const proceed = alice.getByRole('button', { name: 'Continue with the result' });
    expect(await proceed.isDisabled()).toBe(true);
    const row = alice.getByRole('row').filter({ hasText: 'remarks: theirs' });
    expect(await row.getByRole('cell').allTextContents()).toEqual(
      ['first', 'theirs', 'mine'].map((value) => `remarks: ${value}`).concat('Whose remarks Theirs Yours'),
    );
    expect(await violationsInBothLooks(alice)).toEqual([]);
    await row.getByRole('radio', { name: 'Yours' }).check();
    await proceed.click();
    await save(alice);
    expect(await stored()).toMatch(/descr: +Their description\nremarks: +mine\n/);
  });

  test('an object that somebody deleted meanwhile keeps the changes on the page', async () => {
    await begin(alice, 'mine');
    await alice.getByText('Can be saved').waitFor();
    await rest('/TEST/as-set/AS-EDITED', { method: 'DELETE', credential: system.credential });
    await alice.getByRole('button', { name: 'Save' }).click();
    await alice
      .getByRole('alert')
      .filter({ hasText: /deleted|does not exist/ })
      .waitFor();
    expect(await remarks(alice).inputValue()).toBe('mine');
    await write('POST', 'as-set', asSet());
  });

  /**
   * Lets the registry perform the next write, loses its answer, and holds what the page sends then until the returned
   * function runs.
   */
  async function loseAnswer(page: Page, method: string): Promise<() => void> {
    const held = Promise.withResolvers<void>();
    const matches = (url: URL) => url.pathname.startsWith('/TEST/') && url.searchParams.get('dry-run') === 'false';
    let isLost = false;
    await page.route(matches, async (route) => {
      if (route.request().method() !== method) return route.continue();
      if (isLost) return held.promise.then(() => route.continue()).catch(() => {});
      isLost = true;
      await route.fetch();
      await route.abort();
    });
    return held.resolve;
  }

  async function fillPerson(page: Page, name: string) {
    await pages.open(page, '/-/create/person');
    await page.getByLabel('person', { exact: true }).fill(name);
    await page.getByLabel('e-mail', { exact: true }).fill('lost@example.net');
    await page.getByLabel('mnt-by', { exact: true }).fill('EXAMPLE-MNT');
    await page.getByText('Can be saved').waitFor();
  }

  test('a creation whose answer is lost is repeated, and happens once', async () => {
    await fillPerson(alice, 'Quite Lost');
    const goOn = await loseAnswer(alice, 'POST');
    const repeated = alice.waitForResponse((response) => response.headers()['idempotent-replayed'] === 'true');
    await alice.getByRole('button', { name: 'Save' }).click();
    await alice.getByText('The page retries; the object is saved only once.').waitFor();
    goOn();
    await repeated;
    await alice.waitForURL('**/-/object/TEST/person/QL1-TEST');
    expect((await rest('/TEST/person/QL2-TEST')).status).toBe(404);
  });

  test('a form whose creation was lost does not create a second object with other contents by surprise', async () => {
    await fillPerson(alice, 'Really Lost');
    const goOn = await loseAnswer(alice, 'POST');
    await alice.getByRole('button', { name: 'Save' }).click();
    await alice.getByText('The page retries').waitFor();
    await requested(alice, 'leave', () => alice.reload());
    goOn();
    await alice.getByRole('button', { name: 'Restore' }).click();
    await alice.getByLabel('e-mail', { exact: true }).fill('other@example.net');
    await alice.getByText('Can be saved').waitFor();
    await alice.getByRole('button', { name: 'Save' }).click();
    await alice.getByText('The registry has created an object from this form before').waitFor();
    expect((await rest('/TEST/person/RL2-TEST')).status).toBe(404);
  });

  test('an update whose answer is lost is repeated, and found to be done', async () => {
    await begin(alice, 'lost and found');
    (await loseAnswer(alice, 'PUT'))();
    await save(alice);
    expect(await stored()).toMatch(/remarks: +lost and found\n/);
  });

  test('no page logged an error or violated the content security policy', () => {
    expect(pages.complaints).toEqual([]);
  });
});
