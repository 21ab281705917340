import type { Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { violationsInBothLooks } from '../harness/accessibility.js';
import { describeWeb } from '../harness/describe-web.js';
import { jsonBody } from '../harness/whois.js';

describeWeb('editing many objects in the web interface', ({ system, rest, pages }) => {
  /** The browser of Alice, who maintains the objects of EXAMPLE-MNT. */
  let home: Page;
  /** A new tab of Alice. */
  let alice: Page;
  const keys = ['AS-TOGETHER1', 'AS-TOGETHER2', 'AS-TOGETHER3'];

  beforeAll(async () => {
    home = await pages.newPage();
    await pages.signIn(home, 'alice@example.net');
  });

  beforeEach(async () => {
    await write(...keys.map((key) => asSet(key)));
    alice = await home.context().newPage();
    alice.on('dialog', (dialog) => dialog.accept());
  });

  afterEach(() => alice.close());

  const asSet = (key: string, remarks = 'old', descr = 'A set') =>
    `as-set: ${key}\ndescr: ${descr}\nremarks: ${remarks}\ntech-c: AE1-TEST\nadmin-c: AE1-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n`;

  /** Writes objects as another client. */
  async function write(...texts: string[]) {
    const body = jsonBody(...texts);
    const { credential } = system;
    const answer = await rest('/batch/TEST', { method: 'POST', credential, contentType: 'application/json', body });
    expect(answer.status).toBe(200);
  }

  const stored = async (key: string) => (await rest(`/TEST/as-set/${key}.txt`)).text;
  const remarksOf = async (key: string) => /^remarks: +(.*)$/m.exec(await stored(key))?.[1];
  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first();
  /** The part of the page about one object. */
  const about = (page: Page, key: string) => page.getByRole('article').filter({ hasText: key });

  async function choose(page: Page, ...names: string[]) {
    await pages.open(page, '/-/edit-many');
    await page.getByLabel('Objects', { exact: true }).fill(names.join('\n'));
    await page.getByRole('button', { name: `Choose ${names.length} objects` }).click();
    if (page !== alice) await page.getByRole('button', { name: 'Try without an account' }).click();
    await heading(page, `Change of ${names.length} objects`).waitFor();
  }

  async function replaceRemarks(page: Page, value: string) {
    await page.getByLabel('Attribute').selectOption('remarks');
    await page.getByLabel('Value to replace').selectOption('old');
    await page.getByLabel('New value').fill(value);
  }

  async function save(page: Page, count: number) {
    await page.getByText('Can be saved').waitFor();
    await page.getByRole('button', { name: `Save ${count} object` }).click();
  }

  test('a value is replaced in all chosen objects that have it, after a look at every difference', async () => {
    await write(asSet(keys[1]!, 'other'));
    await choose(alice, ...keys.map((key) => `as-set ${key}`));
    expect(await alice.evaluate('document.activeElement.textContent')).toBe('Change of 3 objects');
    await replaceRemarks(alice, 'new');
    await alice.getByText('1 object does not change, of 3').click();
    await alice.getByText('It has no “remarks: old”.').waitFor();
    await alice.getByText('Can be saved').waitFor();
    expect(await about(alice, keys[0]!).locator('.diff').textContent()).toMatch(
      /Removed: remarks: +old.*Added: remarks: +new/s,
    );
    expect(await violationsInBothLooks(alice)).toEqual([]);
    await save(alice, 2);
    await heading(alice, '2 objects are saved').waitFor();
    expect(await violationsInBothLooks(alice)).toEqual([]);
    expect(await Promise.all(keys.map(remarksOf))).toEqual(['new', 'other', 'new']);
  });

  test('what the registry refuses is told for each object, and can be left out', async () => {
    const theirs = asSet('AS-THEIRS');
    await write(
      'mntner: THEIRS-MNT\nadmin-c: AE1-TEST\nupd-to: bob@example.net\nauth: SSO bob@example.net\nmnt-by: EXAMPLE-MNT\nsource: TEST\n',
    );
    await write(theirs);
    await write(theirs.replace('EXAMPLE-MNT', 'THEIRS-MNT'));
    await choose(alice, `as-set ${keys[0]}`, 'as-set AS-THEIRS');
    await alice.getByLabel('Operation').selectOption('add');
    await alice.getByLabel('Attribute').selectOption('remarks');
    await alice.getByLabel('New value').fill('added');
    await alice.getByText('1 of 2 refused').waitFor();
    const judged = await alice.getByRole('article').allTextContents();
    expect(judged).toEqual([
      expect.stringMatching(/AS-THEIRS.*Authority missing/),
      expect.stringMatching(/AS-TOGETHER1.*Waits for the others/),
    ]);
    await alice.getByText('This needs another maintainer').waitFor();
    expect(await violationsInBothLooks(alice)).toEqual([]);
    await alice.getByRole('button', { name: 'Leave out AS-THEIRS' }).click();
    await save(alice, 1);
    await heading(alice, '1 object is saved').waitFor();
    expect(await stored(keys[0]!)).toMatch(/remarks: +old\nremarks: +added\n/);
  });

  test('nothing is overwritten that somebody else wrote meanwhile', async () => {
    await choose(alice, ...keys.map((key) => `as-set ${key}`));
    await replaceRemarks(alice, 'mine');
    await alice.getByText('Can be saved').waitFor();
    await write(asSet(keys[2]!, 'old', 'Their description'));
    await alice.getByRole('button', { name: 'Save 3 objects' }).click();
    await about(alice, keys[2]!).getByText('Changed by others').waitFor();
    expect(await Promise.all(keys.map(remarksOf))).toEqual(['old', 'old', 'old']);
    await alice.getByRole('button', { name: 'Look them up again' }).click();
    await save(alice, 3);
    await heading(alice, '3 objects are saved').waitFor();
    expect(await stored(keys[2]!)).toMatch(/descr: +Their description\nremarks: +mine\n/);
  });

  const manyKeys = Array.from({ length: 205 }, (_, at) => `AS-SEVERAL${String(at).padStart(3, '0')}`);

  /** Stores the objects for several transactions, and chooses and changes them. */
  async function changeMany(page: Page, value: string) {
    for (let at = 0; at < manyKeys.length; at += 100) {
      await write(...manyKeys.slice(at, at + 100).map((key) => asSet(key)));
    }
    await choose(page, ...manyKeys.map((key) => `as-set ${key}`));
    await replaceRemarks(page, value);
    await page.getByText('In 3 transactions of at most 100 objects: each is saved or refused on its own.').waitFor();
    await page.getByText('Can be saved').waitFor();
  }

  const numberWith = async (value: string) =>
    (await Promise.all(manyKeys.map(remarksOf))).filter((remarks) => remarks === value).length;

  test('more than 100 objects are saved in several transactions, and the page says which one it saves', async () => {
    await changeMany(alice, 'in three');
    expect(await violationsInBothLooks(alice)).toEqual([]);
    await alice.getByRole('button', { name: 'Show more of 205 objects' }).click();
    expect(await alice.getByRole('article').count()).toBe(200);
    const sent: number[] = [];
    const waits = Promise.withResolvers<void>();
    await alice.route(/\/batch\/TEST\?dry-run=false/, async (route) => {
      const { objects } = route.request().postDataJSON() as { objects: { object: unknown[] } };
      sent.push(objects.object.length);
      if (sent.length === 2) await waits.promise;
      await route.continue();
    });
    await alice.getByRole('button', { name: 'Save 205 objects' }).click();
    await alice.getByText('Saving transaction 2 of 3 …').waitFor();
    expect(await numberWith('in three')).toBe(100);
    waits.resolve();
    await heading(alice, '205 objects are saved').waitFor();
    expect(sent).toEqual([100, 100, 5]);
    expect(await numberWith('in three')).toBe(205);
  });

  test('a refused transaction keeps back no other one, and is saved later', async () => {
    await changeMany(alice, 'in the end');
    await write(asSet(manyKeys[150]!, 'old', 'Their description'));
    await alice.getByRole('button', { name: 'Save 205 objects' }).click();
    await alice.getByText('Transaction 2 of 3 was refused: none of its 100 objects is saved.').waitFor();
    await alice.getByText('105 objects are saved; the others are still chosen').click();
    await alice.getByRole('link', { name: manyKeys[204]!, exact: true }).waitFor();
    expect(await numberWith('in the end')).toBe(105);
    await about(alice, manyKeys[150]!).getByText('Changed by others').waitFor();
    expect(await violationsInBothLooks(alice)).toEqual([]);
    await alice.getByRole('button', { name: 'Look them up again' }).click();
    await save(alice, 100);
    await heading(alice, '205 objects are saved').waitFor();
    expect(await numberWith('in the end')).toBe(205);
    expect(await stored(manyKeys[150]!)).toMatch(/descr: +Their description\nremarks: +in the end\n/);
  });

  test('more than 1,000 objects are too many', async () => {
    await pages.open(alice, '/-/edit-many');
    const names = Array.from({ length: 1001 }, (_, at) => `AS${at + 1}`);
    await alice.getByLabel('Objects', { exact: true }).fill(names.join('\n'));
    await alice.getByRole('button', { name: 'Choose 1,001 objects' }).click();
    await alice.getByText('1,001 objects are too many').waitFor();
  });

  test('the choice and the change outlive a reload', async () => {
    await choose(alice, ...keys.map((key) => `as-set ${key}`));
    await replaceRemarks(alice, 'kept');
    await alice.getByText('Can be saved').waitFor();
    await alice.reload();
    await alice.getByRole('button', { name: 'Restore' }).click();
    await alice.getByText('Can be saved').waitFor();
    expect(await alice.getByLabel('New value').inputValue()).toBe('kept');
  });

  const person = 'person: To Gether\ne-mail: to@example.net\nnic-hdl: AUTO-1\nmnt-by: EXAMPLE-MNT\nsource: TEST\n';

  test('several objects in the text of the editor are created, changed and deleted together, once', async () => {
    await pages.open(alice, '/-/edit/TEST/as-set/AS-TOGETHER1');
    await alice.getByRole('button', { name: 'Text' }).click();
    const text = [asSet(keys[0]!, 'pasted'), person, `${asSet(keys[1]!)}delete: no longer used\n`].join('\n');
    await alice.getByLabel('The object as text').fill(text);
    await alice.getByRole('button', { name: 'Write them together' }).click();
    await heading(alice, 'Write several objects').waitFor();
    for (const [key, word] of [
      [keys[0]!, 'Changed'],
      ['TG1-TEST', 'New'],
      [keys[1]!, 'Deleted'],
    ] as const) {
      await about(alice, key).getByText(word, { exact: true }).waitFor();
    }
    expect(await violationsInBothLooks(alice)).toEqual([]);
    // The registry performs it, and the answer is lost.
    let isLost = false;
    await alice.route(/\/batch\/TEST\?dry-run=false/, async (route) => {
      if (isLost) return route.continue();
      isLost = true;
      await route.fetch();
      await route.abort();
    });
    const repeated = alice.waitForResponse((response) => response.headers()['idempotent-replayed'] === 'true');
    await save(alice, 3);
    await repeated;
    await heading(alice, '3 objects are saved').waitFor();
    expect(await remarksOf(keys[0]!)).toBe('pasted');
    await alice.getByRole('button', { name: 'Edit these together' }).click();
    await heading(alice, 'Change of 2 objects').waitFor();
    const statuses = ['person/TG1-TEST', 'person/TG2-TEST', `as-set/${keys[1]}`].map(async (path) => {
      return (await rest(`/TEST/${path}`)).status;
    });
    expect(await Promise.all(statuses)).toEqual([200, 404, 404]);
  });

  test('a paste of several objects goes to the page for them at once', async () => {
    await pages.open(alice, '/-/create/as-set');
    await alice.getByRole('button', { name: 'Text' }).click();
    const text = alice.getByLabel('The object as text');
    await text.fill(`${asSet(keys[0]!)}\n${asSet(keys[1]!, 'pasted')}`);
    await text.press('Control+A');
    await text.press('Control+C');
    await text.fill('');
    await text.press('Control+V');
    await heading(alice, 'Write several objects').waitFor();
    await about(alice, keys[1]!).getByText('Changed', { exact: true }).waitFor();
    await about(alice, keys[0]!).getByText('Unchanged', { exact: true }).waitFor();
  });

  test('a text with what is no object, and one with too many, say so', async () => {
    await pages.open(alice, '/-/create/several');
    const text = alice.getByLabel('The objects as text');
    await text.fill(`${person}\nDear colleague,\n`);
    await alice.getByText('“Dear colleague,”').waitFor();
    await text.fill(Array.from({ length: 101 }, () => person).join('\n'));
    await alice.getByText('101 objects are too many').waitFor();
  });

  test('a visitor sees what would change, and signs in to try it, without losing it', async () => {
    const visitor = await pages.newPage();
    await choose(visitor, `as-set ${keys[0]}`, `as-set ${keys[1]}`);
    await replaceRemarks(visitor, 'after signing in');
    await about(visitor, keys[0]!).locator('.diff').waitFor();
    expect(await visitor.getByRole('button', { name: 'Save 2 objects' }).isDisabled()).toBe(true);
    await visitor.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await visitor.getByRole('button', { name: 'alice@example.net' }).click();
    await save(visitor, 2);
    await heading(visitor, '2 objects are saved').waitFor();
    expect(await remarksOf(keys[1]!)).toBe('after signing in');
    await visitor.context().close();
  });

  test('no page logged an error or violated the content security policy', () => {
    expect(pages.complaints).toEqual([]);
  });
});
