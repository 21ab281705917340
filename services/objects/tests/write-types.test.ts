import { ChangeAction, WriteOutcome } from '@cadastre/proto/objects';
import { type ObjectTypeName, objectTypeNames, samples } from '@cadastre/rpsl';
import { beforeAll, describe, expect, test } from 'vitest';
import { lookup, readerOf, useContext } from './test-context.js';
import { alice, bob, edited, mntner, person, startRegistry, subject, submitted, writerOf } from './write-context.js';

const setup = useContext();
const writer = () => writerOf(setup.context);
beforeAll(() => startRegistry(setup.context));

const { CHANGE_ACTION_CREATE: create, CHANGE_ACTION_UPDATE: update, CHANGE_ACTION_DELETE: remove } = ChangeAction;
const changes = (action: number, texts: readonly string[]) => texts.map((text) => [action, text] as const);
const outcomes = (results: readonly { outcome: string }[]) => results.map((result) => result.outcome);

describe('all types, one after the other', () => {
  /** A second object of every type, which needs only the first mntner and person. */
  const alone: Readonly<Record<ObjectTypeName, string>> = Object.fromEntries(
    objectTypeNames.map((type) => [type, standalone(type)]),
  ) as Record<ObjectTypeName, string>;

  test.each(objectTypeNames)('%s is created, modified, and deleted', async (type) => {
    if (type === 'poem') {
      await writer().create(samples['poetic-form']);
    }
    const created = await writer().create(alone[type]);
    expect(created).toMatchObject({ outcome: 'CREATED' });
    const { key, text } = created.object!;
    const asStored = text.replaceAll('SSO alice@example.net', `SSO ${subject('alice@example.net')}`);
    expect(await lookup(setup.context, type, key)).toEqual({ ...created.object, text: asStored });
    const modified = await writer().update(type, key, edited(text, { remarks: 'seen again' }));
    expect(modified).toMatchObject({ outcome: 'MODIFIED', object: { revision: 2 } });
    expect((await writer().update(type, key, modified.text!)).outcome).toBe('UNCHANGED');
    expect((await writer().remove(type, key, bob)).outcome).toBe('UNAUTHORISED');
    expect(await writer().remove(type, key)).toMatchObject({ outcome: 'DELETED', object: { key, revision: 3 } });
    expect(await lookup(setup.context, type, key)).toBeUndefined();
    if (type === 'poem') {
      expect((await writer().remove('poetic-form', 'FORM-HAIKU')).outcome).toBe('DELETED');
    }
  });
});

describe('ApplyChanges', () => {
  test('all types at once, in any order, with AUTO keys; then modified, then deleted together', async () => {
    const texts = objectTypeNames.map((type) => grouped(type));
    const created = await writer().apply(changes(create, texts));
    expect(created.flatMap((result) => result.messages.filter((m) => m.startsWith('E')))).toEqual([]);
    expect(new Set(outcomes(created))).toEqual(new Set(['CREATED']));
    expect(created.map((result) => result.serial)).toEqual(
      created.map((_, index) => created[0]!.serial + BigInt(index)),
    );
    expect(created[objectTypeNames.indexOf('organisation')]!.object!.key).toMatch(/^ORG-ENB\d+-TEST$/);
    const all = created.map((result) => result.text!);
    const modified = await writer().apply(
      changes(
        update,
        all.map((text) => edited(text, { remarks: 'together' })),
      ),
    );
    expect(new Set(outcomes(modified))).toEqual(new Set(['MODIFIED']));
    expect((await writer().remove('mntner', 'GROUP-MNT')).outcome).toBe('REFERENCED');
    const deleted = await writer().apply(changes(remove, all.map(keyLines)));
    expect(new Set(outcomes(deleted))).toEqual(new Set(['DELETED']));
    expect(deleted.every((result) => result.object !== undefined)).toBe(true);
  });

  test('the first mntner and its person, which need each other; the mntner authorises itself', async () => {
    const first = edited(mntner, {
      mntner: 'FIRST-MNT',
      'admin-c': 'AUTO-1',
      'tech-c': undefined,
      'mnt-by': 'FIRST-MNT',
      'mnt-ref': undefined,
      auth: 'SSO bob@example.net',
    });
    const contact = edited(person, { person: 'Bob First', 'nic-hdl': 'AUTO-1', 'mnt-by': 'FIRST-MNT' });
    expect(outcomes(await writer().apply(changes(create, [first, contact]), alice))).toEqual([
      'UNAUTHORISED',
      'UNAUTHORISED',
    ]);
    const results = await writer().apply(changes(create, [first, contact]), bob);
    expect(outcomes(results)).toEqual(['CREATED', 'CREATED']);
    expect(results[0]!.text).toContain('admin-c:        BF1-TEST\n');
    expect(results[1]!.object!.key).toBe('BF1-TEST');
  });

  test('a put creates what does not exist, and updates what does by any spelling of its key', async () => {
    const put = ChangeAction.CHANGE_ACTION_PUT;
    const one = (handle: string, more = {}) => edited(person, { 'nic-hdl': handle, ...more });
    const putting = async (texts: readonly string[], dryRun = false) =>
      outcomes(await writer().apply(changes(put, texts), alice, dryRun));
    expect(await putting([one('PU1-TEST'), one('AUTO-1', { person: 'Put Auto' })])).toEqual(['CREATED', 'CREATED']);
    const again = one('pu1-test', { remarks: 'again' });
    expect(await putting([again, one('PU2-TEST')], true)).toEqual(['MODIFIED', 'CREATED']);
    expect(await putting([again, one('PU2-TEST')])).toEqual(['MODIFIED', 'CREATED']);
    expect(await putting([again])).toEqual(['UNCHANGED']);
    const anonymous = await writer().client.applyChanges({
      source: 'TEST',
      changes: [again, one('PU3-TEST')].map((text) => ({ action: put, object: submitted(text), reason: '' })),
      options: undefined,
    });
    expect(anonymous.results.map(({ outcome }) => outcome)).toEqual(
      Array(2).fill(WriteOutcome.WRITE_OUTCOME_UNAUTHORISED),
    );
  });

  test('an existing mntner does not use the auth that the same write adds', async () => {
    const stolen = edited(mntner, { auth: 'SSO bob@example.net' });
    const results = await writer().apply(
      [
        [update, stolen],
        [create, edited(person, { 'nic-hdl': 'ST1-TEST' })],
      ],
      bob,
    );
    expect(outcomes(results)).toEqual(['UNAUTHORISED', 'UNAUTHORISED']);
  });

  test('one refused, none stored: the others are skipped', async () => {
    const before = (await readerOf(setup.context).listSources({})).sources[0]!.serial;
    const good = edited(person, { person: 'Good One', 'nic-hdl': 'AUTO-1' });
    for (const [bad, outcome] of [
      [edited(person, { 'nic-hdl': 'BA1-TEST', org: 'ORG-NO1-TEST' }), 'INVALID'],
      [edited(person, { 'nic-hdl': 'BA1-TEST', phone: 'none' }), 'INVALID'],
      [person, 'EXISTS'],
    ] as const) {
      const results = await writer().apply(changes(create, [good, bad]));
      expect(outcomes(results)).toEqual(['SKIPPED', outcome]);
      expect(results[0]).toMatchObject({ text: good, messages: [], serial: 0n });
    }
    const missing = await writer().apply([
      [create, good],
      [update, edited(person, { 'nic-hdl': 'NO1-TEST' })],
    ]);
    expect(outcomes(missing)).toEqual(['SKIPPED', 'NOT_FOUND']);
    expect(await lookup(setup.context, 'person', 'go1-test')).toBeUndefined();
    expect((await readerOf(setup.context).listSources({})).sources[0]!.serial).toBe(before);
  });

  test('one change must not name what another deletes', async () => {
    await writer().create(edited(person, { 'nic-hdl': 'DE1-TEST' }));
    const user = edited(samples.role, { org: undefined, 'nic-hdl': 'US1-TEST', 'admin-c': 'DE1-TEST' });
    const results = await writer().apply([
      [remove, 'person: x\nnic-hdl: DE1-TEST\n'],
      [create, user],
    ]);
    expect(outcomes(results)).toEqual(['REFERENCED', 'INVALID']);
    expect(results[1]!.messages).toContain('E Unknown object referenced DE1-TEST');
  });

  test('siblings of one write must not overlap; a parent may come with its child', async () => {
    const net = (range: string) =>
      edited(samples.inetnum, {
        inetnum: range,
        org: undefined,
        'mnt-irt': undefined,
        'abuse-c': undefined,
        'tech-c': 'AE1-TEST',
        'mnt-routes': undefined,
      });
    const results = await writer().apply(
      changes(create, [net('192.0.2.0 - 192.0.2.127'), net('192.0.2.64 - 192.0.2.191')]),
    );
    expect(results.map((result) => result.messages)).toEqual([
      ['E This range overlaps with 192.0.2.64 - 192.0.2.191'],
      ['E This range overlaps with 192.0.2.0 - 192.0.2.127'],
    ]);
    const family = changes(create, [net('192.0.2.0 - 192.0.2.63'), net('192.0.2.0 - 192.0.2.255')]);
    expect(outcomes(await writer().apply(family, alice, true))).toEqual(['CREATED', 'CREATED']);
  });

  test('one object is changed once; a placeholder is used once', async () => {
    const text = edited(person, { 'nic-hdl': 'TW1-TEST' });
    expect(outcomes(await writer().apply(changes(create, [text, text])))).toEqual(['SKIPPED', 'INVALID']);
    const auto = edited(person, { 'nic-hdl': 'AUTO-1' });
    const [, second] = await writer().apply(changes(create, [auto, auto]));
    expect(second!.messages).toEqual(['E Key AUTO-1 already used (AUTO-nnn must be unique per update message)']);
  });

  test('dry run of a group stores nothing', async () => {
    const results = await writer().apply(
      changes(create, [edited(person, { person: 'Trial Run', 'nic-hdl': 'AUTO-1' })]),
      alice,
      true,
    );
    expect(outcomes(results)).toEqual(['CREATED']);
    expect(await lookup(setup.context, 'person', 'tr1-test')).toBeUndefined();
  });

  test('replies say whether contacts are persons or roles, also those of the same group', async () => {
    const pair = [
      edited(person, { person: 'Contact Told', 'nic-hdl': 'AUTO-1' }),
      edited(standalone('mntner'), { mntner: 'CONTACT-MNT', 'mnt-by': 'CONTACT-MNT', 'admin-c': 'AUTO-1' }),
    ];
    const results = await writer().apply(changes(create, pair));
    expect(outcomes(results)).toEqual(['CREATED', 'CREATED']);
    expect(results[1]!.object!.contacts).toContainEqual({ nicHdl: 'ct1-test', type: 'person' });
  });

  test('1 to 100 changes, each with an action', async () => {
    const call = (count: number, action: ChangeAction) =>
      writer().client.applyChanges({
        source: 'TEST',
        changes: Array.from({ length: count }, () => ({ action, object: submitted(person), reason: '' })),
      });
    await expect(call(0, create)).rejects.toMatchObject({ kind: 'invalid' });
    await expect(call(101, create)).rejects.toMatchObject({ kind: 'invalid' });
    await expect(call(1, ChangeAction.CHANGE_ACTION_UNSPECIFIED)).rejects.toMatchObject({ kind: 'invalid' });
  });
});

describe('AUTO keys', () => {
  const auto = (edits: Record<string, string | undefined>) =>
    writer().create(edited(person, { 'nic-hdl': 'AUTO-1', ...edits }));

  test('lowest free number; handles of deleted objects stay taken', async () => {
    const key = async (name: string) => (await auto({ person: name })).object!.key;
    expect(await key('Gerda van Dam')).toBe('GVD1-TEST');
    expect(await key('Gerda van Dam')).toBe('GVD2-TEST');
    await writer().remove('person', 'GVD1-TEST');
    expect(await key('Gerda van Dam')).toBe('GVD3-TEST');
    const again = await writer().create(edited(person, { 'nic-hdl': 'GVD1-TEST' }));
    expect(again.messages).toEqual(['E The nic-hdl "GVD1-TEST" is not available']);
  });

  test('letters of the placeholder before those of the name', async () => {
    expect((await auto({ 'nic-hdl': 'AUTO-1QQ' })).object!.key).toBe('QQ1-TEST');
  });

  test('person and role share the handles', async () => {
    await writer().create(edited(person, { 'nic-hdl': 'SH7-TEST' }));
    const role = edited(samples.role, { org: undefined, 'nic-hdl': 'sh7-test', 'tech-c': 'AE1-TEST' });
    expect((await writer().create(role)).messages).toContain('E The nic-hdl "sh7-test" is not available');
  });

  test('an unknown suffix', async () => {
    expect((await auto({ 'nic-hdl': 'AB1-NOBODY' })).messages).toEqual(['E Syntax error in AB1-NOBODY']);
    expect((await writer().create(edited(person, { 'nic-hdl': 'AB1-NL' }), alice, true)).outcome).toBe('CREATED');
  });

  test('organisation and X.509 key-cert need AUTO', async () => {
    const organisation = edited(standalone('organisation'), { organisation: 'ORG-XX7-TEST' });
    expect((await writer().create(organisation)).messages).toEqual([
      'E Syntax error in ORG-XX7-TEST (must be AUTO-nnn for create)',
    ]);
    const certificate = edited(standalone('key-cert'), { 'key-cert': 'X509-7' });
    expect((await writer().create(certificate)).messages).toContain(
      'E Syntax error in X509-7 (must be AUTO-nnn for create)',
    );
  });

  test('G-KEYCERT-AUTO: a PGP key has a name of its own', async () => {
    expect((await writer().create(edited(standalone('key-cert'), { 'key-cert': 'AUTO-1' }))).messages).toEqual([
      'E AUTO-nnn can only be used with X509 key-cert',
    ]);
  });

  test('references to placeholders: to itself, to a missing one, to the wrong type', async () => {
    const organisation = edited(standalone('organisation'), { organisation: 'AUTO-1', org: 'AUTO-1' });
    const self = await writer().create(organisation);
    expect(self.text).toContain(`org:            ${self.object!.key}\n`);
    expect((await auto({ org: 'AUTO-2' })).messages).toEqual(['E Reference "AUTO-2" not found']);
    expect((await auto({ org: 'AUTO-1' })).messages).toEqual(['E Invalid reference to [person] AUTO-1']);
  });
});

describe('G-SET-PARENT and W5', () => {
  test('401 without the maintainers of the parent, 400 without a parent', async () => {
    const bobs = edited(mntner, {
      mntner: 'SET-MNT',
      'mnt-by': 'SET-MNT',
      auth: 'SSO bob@example.net',
      'mnt-ref': undefined,
    });
    await writer().create(bobs, bob);
    const set = (name: string, maintainer: string) =>
      edited(samples['as-set'], {
        'as-set': name,
        org: undefined,
        'tech-c': 'AE1-TEST',
        'mnt-by': maintainer,
        'mbrs-by-ref': undefined,
      });
    await writer().create(set('AS-TOP', 'EXAMPLE-MNT'));
    const refused = await writer().create(set('AS-TOP:AS-SUB', 'SET-MNT'), bob);
    expect(refused).toMatchObject({
      outcome: 'UNAUTHORISED',
      messages: [
        'E Authorisation for parent [as-set] AS-TOP failed\nusing "mnt-by:"\nnot authenticated by: EXAMPLE-MNT',
        'I Credentials tried: API key',
      ],
    });
    expect(await writer().create(set('AS-NONE:AS-SUB', 'SET-MNT'), bob)).toMatchObject({
      outcome: 'INVALID',
      messages: ['E Parent object AS-NONE not found'],
    });
    const top = (await lookup(setup.context, 'as-set', 'AS-TOP'))!.text;
    await writer().update('as-set', 'AS-TOP', edited(top, { 'mnt-lower': 'SET-MNT' }));
    expect((await writer().create(set('AS-TOP:AS-SUB', 'SET-MNT'), bob)).outcome).toBe('CREATED');
  });
});

/** The sample of a type as the only one of its kind, with references to the first mntner and person alone. */
function standalone(type: ObjectTypeName): string {
  const edits: Partial<Record<ObjectTypeName, Record<string, string | undefined>>> = {
    inetnum: { 'mnt-irt': undefined, 'abuse-c': undefined },
    inet6num: { 'mnt-irt': undefined },
    'aut-num': { 'aut-num': 'AS65550', 'member-of': undefined },
    'as-set': { 'as-set': 'AS-CUSTOMERS' },
    'route-set': { 'route-set': 'RS-EXAMPLE' },
    'rtr-set': { 'rtr-set': 'RTRS-EXAMPLE' },
    'filter-set': { 'filter-set': 'FLTR-EXAMPLE' },
    'peering-set': { 'peering-set': 'PRNG-EXAMPLE' },
    route: { 'member-of': undefined, 'ping-hdl': 'AE1-TEST' },
    route6: { 'member-of': undefined, 'ping-hdl': 'AE1-TEST' },
    'inet-rtr': { 'member-of': undefined },
    domain: { 'zone-c': 'AE1-TEST' },
    mntner: { mntner: 'OTHER-MNT', auth: 'SSO alice@example.net' },
    irt: { signature: undefined, encryption: undefined },
    organisation: { organisation: 'AUTO-1', 'abuse-c': undefined },
    role: { 'nic-hdl': 'RR1-TEST' },
    person: { 'nic-hdl': 'PE1-TEST' },
  };
  const contacts = samples[type].includes('\ntech-c:') ? { 'tech-c': 'AE1-TEST' } : {};
  return edited(samples[type], { org: undefined, ...contacts, ...edits[type] });
}

/** The sample of a type as part of a registry created in one write: with its own mntner and invented keys. */
function grouped(type: ObjectTypeName): string {
  return samples[type]
    .replace(/ORG-EX1-TEST/g, 'AUTO-1')
    .replace(/AE1-TEST/g, 'AUTO-2')
    .replace(/EN1-TEST/g, 'AUTO-3')
    .replace(/EXAMPLE-MNT/g, 'GROUP-MNT');
}

/** The key attributes of a text, for a deletion in a group. */
function keyLines(text: string): string {
  const lines = text.split('\n');
  return [lines[0], ...lines.slice(1).filter((line) => /^(?:nic-hdl|origin):/.test(line))].join('\n');
}
