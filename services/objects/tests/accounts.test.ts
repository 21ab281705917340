import { View } from '@cadastre/proto/registry';
import { samples } from '@cadastre/rpsl';
import { beforeAll, expect, test } from 'vitest';
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

test('an account is stored by its stable subject and answered by its name', async () => {
  const created = await writer().create(mntner('SUBJECT-MNT'));
  expect(created.outcome).toBe('CREATED');
  expect(created.text).toContain(`SSO ${aliceName}`);
  expect(await stored('SUBJECT-MNT')).toContain(`SSO ${subject(aliceName)}`);
  expect(await stored('SUBJECT-MNT')).not.toContain(aliceName);
});

test('its name is shown to its holder, and nothing of it to anybody else', async () => {
  await writer().create(mntner('SHOWN-MNT'));
  expect(await unfilteredFor(alice, 'SHOWN-MNT')).toMatch(new RegExp(`^auth: +SSO ${aliceName}$`, 'm'));
  for (const other of [bob, undefined]) expect(await unfilteredFor(other, 'SHOWN-MNT')).not.toContain('auth:');
});

test('what was answered can be sent back: nothing has changed', async () => {
  const { text } = await writer().create(mntner('BACK-MNT'));
  expect((await writer().update('mntner', 'BACK-MNT', text!)).outcome).toBe('UNCHANGED');
});

test('whoever gets the e-mail address of an account later does not get its authority', async () => {
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

test('names that a bulk load kept count, and become subjects with the next change', async () => {
  await put(setup.context, mntner('LEGACY-MNT'));
  expect((await writer().update('mntner', 'LEGACY-MNT', mntner('LEGACY-MNT'))).outcome).toBe('UNCHANGED');
  const changed = edited(mntner('LEGACY-MNT'), { remarks: 'changed' });
  expect((await writer().update('mntner', 'LEGACY-MNT', changed)).outcome).toBe('MODIFIED');
  expect(await stored('LEGACY-MNT')).toContain(`SSO ${subject(aliceName)}`);
});

test('an account is told its own mntners: by subject, and by the name that a bulk load kept', async () => {
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
