import { View } from '@cadastre/proto/registry';
import { samples } from '@cadastre/rpsl';
import { beforeAll, expect, test, vi } from 'vitest';
import { lookup, put, readerOf, useContext } from './test-context.js';
import { accounts, alice, bob, edited, startRegistry, subject, writerOf } from './write-context.js';

const setup = useContext();
const writer = () => writerOf(setup.context);
beforeAll(() => startRegistry(setup.context));

const aliceName = alice.accountName;
const mntner = (name: string, auth = `SSO ${aliceName}`) =>
  edited(samples.mntner, {
    mntner: name,
    'mnt-by': name,
    auth,
    org: undefined,
    'tech-c': undefined,
    'mnt-ref': undefined,
  });
const stored = async (name: string) => (await lookup(setup.context, 'mntner', name))!.text;

async function unfilteredFor(principal: typeof alice | undefined, name: string): Promise<string> {
  const client = readerOf({ ...setup.context, accounts });
  const key = { source: 'TEST', type: 'mntner', key: name };
  const lookups = [{ key, view: View.VIEW_UNFILTERED, withContacts: false, principal }];
  return (await client.batchLookup({ lookups })).answers[0]!.object!.text;
}

test('an account is stored by its stable subject and returned by its name', async () => {
  const created = await writer().create(mntner('SUBJECT-MNT'));
  expect(created.outcome).toBe('CREATED');
  expect(created.text).toContain(`SSO ${aliceName}`);
  expect(await stored('SUBJECT-MNT')).toContain(`SSO ${subject(aliceName)}`);
  expect(await stored('SUBJECT-MNT')).not.toContain(aliceName);
});

test('its name is shown to its holder, and hidden from everyone else', async () => {
  await writer().create(mntner('SHOWN-MNT'));
  expect(await unfilteredFor(alice, 'SHOWN-MNT')).toMatch(new RegExp(`^auth: +SSO ${aliceName}$`, 'm'));
  for (const other of [bob, undefined]) expect(await unfilteredFor(other, 'SHOWN-MNT')).not.toContain('auth:');
});

test('sending a response back changes nothing', async () => {
  const { text } = await writer().create(mntner('BACK-MNT'));
  expect((await writer().update('mntner', 'BACK-MNT', text!)).outcome).toBe('UNCHANGED');
});

test('a later owner of an account’s e-mail address does not get its authority', async () => {
  await writer().create(mntner('HEIR-MNT'));
  const heir = { ...alice, accountId: 'somebody-else' };
  const change = edited((await writer().create(mntner('HEIR2-MNT'))).text!, {
    mntner: 'HEIR-MNT',
    'mnt-by': 'HEIR-MNT',
  });
  expect((await writer().update('mntner', 'HEIR-MNT', edited(change, { remarks: 'mine' }), heir)).outcome).toBe(
    'UNAUTHORISED',
  );
  const renamed = { ...alice, accountName: 'alice.new@example.net' };
  expect((await writer().remove('mntner', 'HEIR2-MNT', renamed)).outcome).toBe('DELETED');
});

test('names from a bulk load count, and become subjects with the next change', async () => {
  await put(setup.context, mntner('LEGACY-MNT'));
  expect((await writer().update('mntner', 'LEGACY-MNT', mntner('LEGACY-MNT'))).outcome).toBe('UNCHANGED');
  const changed = edited(mntner('LEGACY-MNT'), { remarks: 'changed' });
  expect((await writer().update('mntner', 'LEGACY-MNT', changed)).outcome).toBe('MODIFIED');
  expect(await stored('LEGACY-MNT')).toContain(`SSO ${subject(aliceName)}`);
});

test('an account finds its own mntners: by subject, and by the name from a bulk load', async () => {
  const own = async (principal: typeof alice) =>
    (await readerOf(setup.context).listOwnMaintainers({ principal })).maintainers.map(({ key }) => key);
  await writer().create(mntner('OWN1-MNT'));
  await put(setup.context, mntner('OWN2-MNT'));
  await put(setup.context, mntner('OTHER-MNT', `SSO x${aliceName}`));
  expect(await own(alice)).toEqual(expect.arrayContaining(['OWN1-MNT', 'OWN2-MNT']));
  expect(await own(alice)).not.toContain('OTHER-MNT');
  expect(await own(bob)).not.toContain('OWN1-MNT');
  expect(await own({ ...alice, maintainers: ['OWN2-MNT'] })).toEqual(['OWN2-MNT']);
  await writer().remove('mntner', 'OWN1-MNT');
  expect(await own(alice)).not.toContain('OWN1-MNT');
  await expect(own({ ...alice, accountId: '', accountName: '' })).rejects.toMatchObject({ kind: 'invalid' });
});

test('400: more accounts than allowed, before the identity provider is queried', async () => {
  const resolve = vi.fn(accounts.resolve);
  const asking = writerOf(setup.context, { accounts: { ...accounts, resolve } });
  const names = Array.from({ length: 201 }, (_, n) => `SSO user${n}@example.net`);
  const many = `${mntner('MANY-MNT')}${names.map((name) => `auth: ${name}\n`).join('')}`;
  const { outcome, messages } = await asking.create(many);
  expect(messages).toEqual(['E Too many accounts: 202, of which one request may name 200']);
  expect(outcome).toBe('INVALID');
  expect(resolve).not.toHaveBeenCalled();
});

test('400: of many accounts that do not exist none is named', async () => {
  const withNames = (count: number) => {
    const names = Array.from({ length: count }, (_, n) => `auth: SSO guess${n}@example.net\n`);
    return writer().create(`${mntner('GUESS-MNT')}${names.join('')}`);
  };
  const few = await withNames(10);
  expect(few.messages).toEqual(
    Array.from({ length: 10 }, (_, n) => expect.stringContaining(`found for guess${n}@example.net`)),
  );
  const many = await withNames(11);
  expect([many.outcome, many.messages]).toEqual(['INVALID', ['E More than 10 of the accounts do not exist']]);
});
