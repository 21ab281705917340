import { samples } from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service';
import { beforeAll, describe, expect, test } from 'vitest';
import { inetnum, lookup, put, readerOf, useContext } from './test-context.js';
import {
  alice,
  bob,
  edited,
  mntner,
  person,
  principal,
  seen,
  startRegistry,
  submitted,
  writerOf,
} from './write-context.js';

const setup = useContext();
const writer = () => writerOf(setup.context);
beforeAll(() => startRegistry(setup.context));

/** A person whose handle the registry assigns. */
const somebody = edited(person, { 'nic-hdl': 'AUTO-1' });
const named = (handle: string, edits: Record<string, string | undefined> = {}) =>
  edited(person, { 'nic-hdl': handle, ...edits });
const notAuthorised = (type: string, key: string) =>
  `E Authorisation for [${type}] ${key} failed\nusing "mnt-by:"\nnot authenticated by: EXAMPLE-MNT`;
const triedKey = 'I Credentials tried: API key';
const triedNone = 'I Credentials tried: none';
const exists = 'E Enforced new keyword specified, but the object already exists in the database';
const dryRun = 'I Dry-run performed, no changes to the database have been made';
const serialOf = async () => (await readerOf(setup.context).listSources({})).sources[0]!.serial;

describe('POST', () => {
  test('200: stores the object with its generated attributes and returns serial and revision', async () => {
    setup.clock.set('2026-02-01T12:00:00.750Z');
    const { outcome, object, messages, serial } = await writer().create(named('CC1-TEST'));
    expect({ outcome, messages }).toEqual({ outcome: 'CREATED', messages: [] });
    expect(object).toMatchObject({ source: 'TEST', type: 'person', key: 'CC1-TEST', revision: 1, serial });
    expect(object!.text).toContain(
      'created:        2026-02-01T12:00:00Z\nlast-modified:  2026-02-01T12:00:00Z\nsource:',
    );
    expect(object!.created).toEqual(new Date('2026-02-01T12:00:00Z'));
    expect(await lookup(setup.context, 'person', 'cc1-test')).toEqual(object);
    expect(serial).toBe(await serialOf());
  });

  test('400: an unknown source, a mirrored source', async () => {
    for (const source of ['NOWHERE', 'EXAMPLE-GRS']) {
      const { result } = await writer().client.createObject({ source, type: 'person', object: submitted(somebody) });
      expect(result).toMatchObject({ outcome: 5, messages: [{ text: "Invalid source '%s'", args: [source] }] });
      expect(result!.object).toBeUndefined();
    }
  });

  test('400: a body that is not an object', async () => {
    const create = async (attributes: { name: string; value: string }[]) => {
      const { result } = await writer().client.createObject({ source: 'TEST', type: 'person', object: { attributes } });
      return result!.messages.map((m) => m.text);
    };
    expect(await create([])).toEqual(['The validated collection is empty']);
    expect(await create([{ name: 'foo', value: 'x' }])).toEqual(['Invalid object type: foo']);
  });

  test('400: the type of the path differs', async () => {
    const { result } = await writer().client.createObject({
      source: 'TEST',
      type: 'role',
      object: submitted(somebody),
    });
    expect(result!.messages).toMatchObject([
      { text: 'Object type specified in URI (%s) does not match the WhoisResources contents', args: ['role'] },
    ]);
    expect(result!.object).toBeUndefined();
  });

  test('400: structure and syntax, all at once, with the object as it was sent; nothing about authority', async () => {
    const text = edited(somebody, { phone: 'none', 'mnt-by': undefined, colour: 'blue' });
    const { outcome, messages, text: shown, raw } = await writer().create(text, bob);
    expect(outcome).toBe('INVALID');
    expect(messages).toEqual([
      'E Mandatory attribute "mnt-by" is missing',
      'E Syntax error in none',
      'E "colour" is not a known RPSL attribute',
    ]);
    expect(raw[1]!.attribute).toEqual({ name: 'phone', value: '          none' });
    expect(shown).toBe(text);
  });

  test('400: a dry run also tells what else is wrong, but nothing about authority; a write does not', async () => {
    const text = edited(somebody, { phone: 'none', 'mnt-by': 'NO-MNT', source: 'ELSEWHERE', colour: 'blue' });
    const syntax = ['E Syntax error in none', 'E "colour" is not a known RPSL attribute'];
    expect((await writer().create(text, bob)).messages).toEqual(syntax);
    const options = { principal: undefined, dryRun: true };
    const anonymous = { source: 'TEST', type: 'person', object: submitted(text), options };
    expect(seen((await writer().client.createObject(anonymous)).result).messages).toEqual([...syntax, dryRun]);
    const tried = await writer().create(text, bob, true);
    expect(tried.messages).toEqual([
      "E The maintainer 'NO-MNT' was not found in the database",
      'E Unrecognized source: ELSEWHERE',
      'E Syntax error in none',
      'E Unknown object referenced NO-MNT',
      'E "colour" is not a known RPSL attribute',
      dryRun,
    ]);
    expect([tried.outcome, tried.text]).toEqual(['INVALID', text]);
    expect(tried.raw.find(({ text: said }) => said.startsWith('Unknown object'))!.attribute!.name).toBe('mnt-by');
  });

  test('400: such a dry run does not miss what the same write creates, nor judges what is wrong already', async () => {
    const pair = [
      [1, edited(person, { 'nic-hdl': 'NP1-TEST', 'mnt-by': 'NEW-MNT', phone: 'none' })],
      [1, edited(mntner, { mntner: 'NEW-MNT', 'admin-c': 'NP1-TEST', 'mnt-by': 'NEW-MNT, 1-MNT, NO-MNT' })],
    ] as const;
    expect((await writer().apply(pair, alice, true)).map(({ messages }) => messages)).toEqual([
      ['E Syntax error in none', dryRun],
      ['E Syntax error in 1-MNT', dryRun],
    ]);
  });

  test('400: filtered output, control characters', async () => {
    expect((await writer().create(edited(somebody, { source: 'TEST # Filtered' }))).messages).toEqual([
      'E Cannot submit filtered whois output for updates',
    ]);
    const { outcome, object } = await writer().create(edited(somebody, { remarks: 'bell \u0007' }));
    expect(outcome).toBe('INVALID');
    expect(object).toBeUndefined();
  });

  test('400: an attribute name that would write a line of its own is unknown', async () => {
    const object = submitted(somebody);
    object.attributes.push({ name: 'remarks:x\nmnt-by', value: 'OTHER-MNT' });
    const options = { principal: alice, dryRun: false };
    const { result } = await writer().client.createObject({ source: 'TEST', type: 'person', object, options });
    expect(result).toMatchObject({ outcome: 5, messages: [{ args: ['remarks?x?mnt-by'] }] });
    expect(result!.object!.text).toBe(`${somebody}remarks?x?mnt-by: OTHER-MNT\n`);
  });

  test('400: more references than can be locked', async () => {
    const many = Array.from({ length: 501 }, (_, n) => `M${n}-MNT`).join(',');
    const { outcome, messages } = await writer().create(edited(somebody, { 'mnt-by': many }));
    expect({ outcome, messages }).toEqual({ outcome: 'INVALID', messages: ['E Too many references'] });
  });

  describe('400: too large to check', () => {
    const numbered = (count: number, form: (n: number) => string) => Array.from({ length: count }, (_, n) => form(n));
    const set = (...members: string[]) => [
      { name: 'as-set', value: 'AS-LARGE' },
      ...members.map((value) => ({ name: 'members', value })),
      { name: 'tech-c', value: 'AE1-TEST' },
      { name: 'admin-c', value: 'AE1-TEST' },
      { name: 'mnt-by', value: 'EXAMPLE-MNT' },
      { name: 'source', value: 'TEST' },
    ];
    const asNumbers = (count: number) => numbered(count, (n) => `AS${n + 1}`);
    const change = (attributes: { name: string; value: string }[]) => ({
      action: 1,
      object: { attributes },
      reason: '',
    });
    const tooManyValues = (count: number) =>
      `E Too many values and lines: ${count}, of which one request may hold 50000`;
    const maintainers = numbered(80_000, (n) => `M${n}-MNT`).join();

    test.each<[string, { name: string; value: string }[][], string]>([
      [
        'references in a list',
        [[...set(), { name: 'mnt-by', value: numbered(501, (n) => `M${n}-MNT`).join() }]],
        'E Too many references',
      ],
      [
        'references, one an attribute',
        [[...set(), ...numbered(501, (n) => `M${n}`).map((value) => ({ name: 'mnt-by', value }))]],
        'E Too many references',
      ],
      ['values that are references', [[...set(), { name: 'mnt-by', value: maintainers }]], tooManyValues(80_005)],
      ['elements of a list', [set(asNumbers(49_996).join(', '))], tooManyValues(50_001)],
      ['attributes', [set(...asNumbers(49_996))], tooManyValues(50_001)],
      ['lines', [set(asNumbers(49_996).join(',\n').replaceAll(',', ''))], tooManyValues(50_001)],
      ['objects together', [set(asNumbers(30_000).join()), set(asNumbers(30_000).join())], tooManyValues(60_010)],
      [
        'characters',
        [[...set(), { name: 'remarks', value: 'x'.repeat(1_000_000) }]],
        'E Ignored object with size 1000077, exceeds maximum object size 1000000.',
      ],
    ])('%s', async (_what, objects, expected) => {
      for (const by of [alice, undefined]) {
        const options = { dryRun: true, ...(by && { principal: by }) };
        const { results } = await writer().client.applyChanges({
          source: 'TEST',
          changes: objects.map(change),
          options,
        });
        const answers = results.map(seen);
        expect(answers.map(({ outcome, messages, object }) => ({ outcome, messages, object }))).toEqual(
          objects.map(() => ({ outcome: 'INVALID', messages: [expected, dryRun], object: undefined })),
        );
      }
    });

    test('the largest set of which every member is checked is stored', async () => {
      const changes = [change(set(asNumbers(49_995).join(', ')))];
      const { results } = await writer().client.applyChanges({
        source: 'TEST',
        changes,
        options: { principal: alice, dryRun: true },
      });
      expect(results.map((result) => seen(result).outcome)).toEqual(['CREATED']);
    });

    test('a refusal limits its messages, and does not repeat a large object', async () => {
      const wrong = numbered(49_000, (n) => `!${n}`);
      for (const members of [[wrong.join(', ')], wrong, [`\u0007${'x'.repeat(900_000)}`]]) {
        const { results } = await writer().client.applyChanges({
          source: 'TEST',
          changes: [change(set(...members))],
          options: { principal: alice, dryRun: false },
        });
        const { outcome, messages, object, raw } = seen(results[0]);
        expect({ outcome, object }).toEqual({ outcome: 'INVALID', object: undefined });
        expect(messages.length).toBeLessThanOrEqual(101);
        expect(JSON.stringify(raw).length).toBeLessThan(100_000);
        if (members.length > 1) expect(messages.at(-1)).toMatch(/^I \d+ further messages are left out$/);
      }
    });
  });

  test('400: a type of the path that does not exist', async () => {
    const options = { principal: alice, dryRun: false };
    const object = submitted(somebody);
    const key = { source: 'TEST', type: 'persona', key: 'AE1-TEST' };
    const { result: created } = await writer().client.createObject({
      source: 'TEST',
      type: 'persona',
      object,
      options,
    });
    const { result: updated } = await writer().client.updateObject({ key, object, options });
    const { result: deleted } = await writer().client.deleteObject({ key, reason: '', options });
    for (const result of [created, updated, deleted]) {
      expect(seen(result)).toMatchObject({ outcome: 'INVALID', messages: ['E Invalid object type: persona'] });
    }
  });

  test('line ends in a value never begin an attribute', async () => {
    const object = submitted(named('LE1-TEST'));
    object.attributes.splice(1, 0, { name: 'remarks', value: 'one\nmnt-by: OTHER-MNT\n\n+44\r\n+ two' });
    const { result } = await writer().client.createObject({
      source: 'TEST',
      type: 'person',
      object,
      options: { principal: alice, dryRun: true },
    });
    expect(result!.object!.text).toContain(
      'remarks:        one\n                mnt-by: OTHER-MNT\n+\n+               44\n+               two\n',
    );
  });

  test('400: rules', async () => {
    const { outcome, messages, text } = await writer().create(edited(somebody, { org: 'ORG-NO1-TEST' }));
    expect({ outcome, messages }).toEqual({
      outcome: 'INVALID',
      messages: ['E Unknown object referenced ORG-NO1-TEST'],
    });
    expect(text).toContain('AUTO-1');
  });

  test('400: a source attribute of another registry', async () => {
    const { outcome, messages } = await writer().create(edited(somebody, { source: 'OTHER' }));
    expect({ outcome, messages }).toEqual({ outcome: 'INVALID', messages: ['E Unrecognized source: OTHER'] });
  });

  test('401: somebody else, a key limited to another maintainer; beside the errors of rules', async () => {
    const text = named('DD1-TEST', { org: 'ORG-NO1-TEST' });
    for (const by of [bob, principal('alice@example.net', ['OTHER-MNT'])]) {
      const { outcome, messages, raw, text: shown } = await writerBy(by).create(text);
      expect(outcome).toBe('UNAUTHORISED');
      expect(messages).toEqual([
        notAuthorised('person', 'DD1-TEST'),
        'E Unknown object referenced ORG-NO1-TEST',
        triedKey,
      ]);
      expect(raw[0]).toMatchObject({
        text: 'Authorisation for [%s] %s failed\nusing "%s:"\nnot authenticated by: %s',
        args: ['person', 'DD1-TEST', 'mnt-by', 'EXAMPLE-MNT'],
      });
      expect(shown).toBe(text);
    }
    expect(await lookup(setup.context, 'person', 'dd1-test')).toBeUndefined();
  });

  test('a key limited to this maintainer suffices', async () => {
    const by = principal('ALICE@example.net', ['example-mnt']);
    expect((await writer().create(somebody, by, true)).outcome).toBe('CREATED');
  });

  test('401: no maintainer that exists', async () => {
    const { outcome, raw } = await writer().create(edited(somebody, { 'mnt-by': 'NO-MNT' }));
    expect(outcome).toBe('UNAUTHORISED');
    expect(raw[0]).toMatchObject({
      text: 'Authorisation for [%s] %s failed\nusing "%s:"\nno valid maintainer found\n',
      args: ['person', 'AUTO-1', 'mnt-by', ''].map((arg) => (arg === 'AUTO-1' ? expect.any(String) : arg)),
    });
  });

  test('409: exists; 409 before the errors of rules', async () => {
    const again = named('AE1-TEST', { 'e-mail': 'new@example.net', org: 'ORG-NO1-TEST' });
    const { outcome, messages } = await writer().create(again);
    expect(outcome).toBe('EXISTS');
    expect(messages).toContain(exists);
  });

  test('401: the creator of an existing object must be one of its stored maintainers', async () => {
    const bobs = edited(mntner, {
      mntner: 'BOB-MNT',
      'mnt-by': 'BOB-MNT',
      auth: 'SSO bob@example.net',
      'mnt-ref': undefined,
    });
    expect((await writer().create(bobs, bob)).outcome).toBe('CREATED');
    const taken = edited(mntner, { 'mnt-by': 'BOB-MNT', auth: 'SSO bob@example.net' });
    const { outcome, messages } = await writer().create(taken, bob);
    expect(outcome).toBe('UNAUTHORISED');
    expect(messages[0]).toBe(notAuthorised('mntner', 'EXAMPLE-MNT'));
  });

  test('dry run: same result, stores nothing, takes no handle', async () => {
    const before = await serialOf();
    const first = await writer().create(edited(person, { person: 'Dry Run', 'nic-hdl': 'AUTO-1' }), alice, true);
    expect(first).toMatchObject({ outcome: 'CREATED', messages: [dryRun], serial: 0n });
    expect(first.object).toMatchObject({ key: 'DR1-TEST', revision: 1, serial: 0n });
    expect(await lookup(setup.context, 'person', 'dr1-test')).toBeUndefined();
    expect(
      (await writer().create(edited(person, { person: 'Dry Run', 'nic-hdl': 'AUTO-1' }), alice, true)).object!.key,
    ).toBe('DR1-TEST');
    expect(await serialOf()).toBe(before);
    const refused = await writer().create(named('AE1-TEST'), bob, true);
    expect(refused).toMatchObject({ outcome: 'UNAUTHORISED', serial: 0n });
    expect(refused.messages.at(-1)).toBe(dryRun);
  });

  test('messages name converted characters and short names', async () => {
    const object = submitted(named('SN1-TEST', { address: 'Ĝardeno 1', phone: undefined, ph: '+31 20 555 0100' }));
    const { result } = await writer().client.createObject({
      source: 'TEST',
      type: 'person',
      object,
      options: { principal: alice, dryRun: true },
    });
    expect(result!.messages.map((m) => [m.severity, m.text])).toEqual([
      [2, 'Short format attribute name(s) have been replaced.'],
      [2, 'Attribute "%s:" has been converted to "%s"'],
      [3, 'Dry-run performed, no changes to the database have been made'],
    ]);
    expect(result!.object!.text).toContain('address:        ?ardeno 1\n');
    expect(result!.object!.text).toContain('phone:          +31 20 555 0100\n');
  });

  test('a message names a normalised key; generated attributes are replaced with a warning', async () => {
    const text = edited(inetnum('198.51.100.0/24').replaceAll('SB1-TEST', 'AE1-TEST'), {
      'mnt-by': 'EXAMPLE-MNT',
      created: '2001-01-01T00:00:00Z',
      changed: 'a@example.net 20010101',
    });
    const { outcome, messages, object } = await writer().create(text);
    expect(outcome).toBe('CREATED');
    expect(messages).toEqual([
      'W Deprecated attribute "changed". This attribute has been removed.',
      "W Supplied attribute 'created' has been replaced with a generated value",
      'I Value 198.51.100.0/24 converted to 198.51.100.0 - 198.51.100.255',
    ]);
    expect(object!.key).toBe('198.51.100.0 - 198.51.100.255');
    expect(object!.text).not.toContain('changed:');
  });
});

describe('PUT', () => {
  const text = named('PP1-TEST');
  beforeAll(async () => {
    setup.clock.set('2026-02-01T12:00:00Z');
    await writer().create(text);
  });

  test('200: a new version; created stays, last-modified moves', async () => {
    setup.clock.set('2026-03-01T12:00:00Z');
    const { outcome, messages, object, serial } = await writer().update('person', 'pp1-test', `${text}remarks: new\n`);
    expect({ outcome, messages }).toEqual({ outcome: 'MODIFIED', messages: [] });
    expect(object).toMatchObject({ revision: 2, serial });
    expect(object!.text).toContain('created:        2026-02-01T12:00:00Z\nlast-modified:  2026-03-01T12:00:00Z\n');
    expect(await lookup(setup.context, 'person', 'pp1-test')).toEqual(object);
  });

  test('200: identical except for layout, letter case and generated attributes: the stored object, no version', async () => {
    const stored = await lookup(setup.context, 'person', 'pp1-test');
    const before = await serialOf();
    const same = stored!.text.replace('Alice Example', 'alice   EXAMPLE').replace('2026-03-01', '1999-01-01');
    const { outcome, messages, object, serial } = await writer().update('person', 'PP1-TEST', same);
    expect({ outcome, messages, serial }).toEqual({
      outcome: 'UNCHANGED',
      messages: ['W Submitted object identical to database object'],
      serial: 0n,
    });
    expect(object).toEqual(stored);
    expect(await serialOf()).toBe(before);
  });

  test('another order or another comment is a change', async () => {
    const stored = (await lookup(setup.context, 'person', 'pp1-test'))!.text;
    const commented = stored.replace('remarks:        new', 'remarks:        new # comment');
    expect((await writer().update('person', 'PP1-TEST', commented, alice, true)).outcome).toBe('MODIFIED');
    const lines = stored.split('\n');
    const swapped = [lines[0], lines[2], lines[1], ...lines.slice(3)].join('\n');
    expect((await writer().update('person', 'PP1-TEST', swapped, alice, true)).outcome).toBe('MODIFIED');
  });

  test('401: an identical object needs authority too', async () => {
    const stored = (await lookup(setup.context, 'person', 'pp1-test'))!.text;
    const { outcome, messages } = await writer().update('person', 'PP1-TEST', stored, bob);
    expect({ outcome, messages }).toEqual({
      outcome: 'UNAUTHORISED',
      messages: [notAuthorised('person', 'PP1-TEST'), triedKey],
    });
  });

  test('401: the stored maintainers count, not the submitted ones; the reply shows the submitted object', async () => {
    const stolen = edited(mntner, { auth: 'SSO bob@example.net', 'upd-to': 'bob@example.net' });
    const { outcome, text: shown } = await writer().update('mntner', 'EXAMPLE-MNT', stolen, bob);
    expect(outcome).toBe('UNAUTHORISED');
    expect(shown).toBe(stolen);
    expect(shown).not.toContain('alice');
  });

  test('404: does not exist, for any caller', async () => {
    const { outcome, messages } = await writer().update('person', 'NO1-TEST', named('NO1-TEST'), bob);
    expect({ outcome, messages }).toEqual({
      outcome: 'NOT_FOUND',
      messages: ['E Object [person] NO1-TEST does not exist in the database'],
    });
  });

  test('400: type or key of the path differ', async () => {
    expect((await writer().update('role', 'PP1-TEST', text)).messages).toEqual([
      'E Object type and key specified in URI (role: PP1-TEST) do not match the WhoisResources contents',
    ]);
    expect((await writer().update('person', 'AE1-TEST', text)).messages).toEqual([
      'E Primary key (AE1-TEST) cannot be modified.',
    ]);
  });

  test('any spelling of the key in the path is accepted', async () => {
    const net = edited(inetnum('203.0.113.0 - 203.0.113.255').replaceAll('SB1-TEST', 'AE1-TEST'), {
      'mnt-by': 'EXAMPLE-MNT',
    });
    await writer().create(net);
    const { outcome } = await writer().update('inetnum', '203.0.113.0/24', edited(net, { netname: 'NEW-NET' }));
    expect(outcome).toBe('MODIFIED');
  });

  test('400: another comment on source', async () => {
    expect((await writer().update('person', 'PP1-TEST', edited(text, { source: 'TEST # mine' }))).messages).toEqual([
      'E End of line comments not allowed on "source:" attribute',
    ]);
  });

  test('dry run stores nothing', async () => {
    const stored = await lookup(setup.context, 'person', 'pp1-test');
    const result = await writer().update('person', 'PP1-TEST', `${text}remarks: dry\n`, alice, true);
    expect(result).toMatchObject({ outcome: 'MODIFIED', messages: [dryRun], serial: 0n });
    expect(result.object).toMatchObject({ revision: stored!.revision + 1 });
    expect(await lookup(setup.context, 'person', 'pp1-test')).toEqual(stored);
  });

  test('a stored object without maintainers (legacy data) is modified by its new ones', async () => {
    await put(setup.context, edited(named('LG1-TEST'), { 'mnt-by': undefined }));
    expect((await writer().update('person', 'LG1-TEST', named('LG1-TEST'), bob)).outcome).toBe('UNAUTHORISED');
    expect((await writer().update('person', 'LG1-TEST', named('LG1-TEST'))).outcome).toBe('MODIFIED');
  });
});

describe('DELETE', () => {
  test('200: the filtered object; its history keeps the reason', async () => {
    await writer().create(named('RM1-TEST'));
    const { outcome, messages, object, serial } = await writer().remove(
      'person',
      'rm1-test',
      alice,
      false,
      'moved away',
    );
    expect({ outcome, messages }).toEqual({ outcome: 'DELETED', messages: [] });
    expect(object!.text).not.toContain('e-mail:');
    expect(object!.text).toContain('source:         TEST # Filtered\n');
    expect(object).toMatchObject({ revision: 2, serial });
    expect(await lookup(setup.context, 'person', 'rm1-test')).toBeUndefined();
    const { rows } = await setup.context.readPool.query(
      "select reason from version where key = 'rm1-test' and operation = 2",
    );
    expect(rows).toEqual([{ reason: 'moved away' }]);
  });

  test('404: does not exist, or cannot', async () => {
    for (const key of ['NO1-TEST', 'not a handle']) {
      const { outcome, messages, object } = await writer().remove('person', key);
      expect({ outcome, messages, object }).toEqual({
        outcome: 'NOT_FOUND',
        messages: ['E Not Found'],
        object: undefined,
      });
    }
  });

  test('400: unknown type, unknown source', async () => {
    expect((await writer().remove('foo', 'X')).messages).toEqual(['E Invalid object type: foo']);
    const { result } = await writer().client.deleteObject({
      key: { source: 'NOWHERE', type: 'person', key: 'AE1-TEST' },
      reason: '',
    });
    expect(result!.messages).toMatchObject([{ text: "Invalid source '%s'" }]);
  });

  test.each(['\0', '\x1b', '\x85'])('400: a reason with the control character %j', async (control) => {
    const { outcome, messages } = await writer().remove('person', 'AE1-TEST', alice, false, `not ${control} used`);
    expect({ outcome, messages }).toEqual({
      outcome: 'INVALID',
      messages: ['E The reason contains control characters'],
    });
  });

  test('409: referenced by others; no object is shown', async () => {
    const { outcome, messages, object } = await writer().remove('person', 'AE1-TEST');
    expect({ outcome, messages, object }).toEqual({
      outcome: 'REFERENCED',
      messages: ['E Object [person] AE1-TEST is referenced from other objects'],
      object: undefined,
    });
  });

  test('401: and 401 before 409; no object is shown', async () => {
    const { outcome, messages, object } = await writer().remove('person', 'AE1-TEST', bob);
    expect({ outcome, object }).toEqual({ outcome: 'UNAUTHORISED', object: undefined });
    expect(messages[0]).toBe(notAuthorised('person', 'AE1-TEST'));
  });

  describe('with an expected object', () => {
    const removeKnown = async (text: string, by = alice) => {
      const key = { source: 'TEST', type: 'person', key: 'MM1-TEST' };
      const options = { principal: by, dryRun: true };
      return seen((await writer().client.deleteObject({ key, object: submitted(text), reason: '', options })).result);
    };
    const text = named('MM1-TEST');
    const mismatch = "E Object [person] MM1-TEST   Alice Example doesn't match version in database";
    beforeAll(() => put(setup.context, text));

    test('200: the stored object, in another layout', async () => {
      expect((await removeKnown(text.replaceAll(':  ', ':\t').toUpperCase().toLowerCase())).outcome).toBe('DELETED');
    });

    test('400: another object; 401 without details for callers who may not delete', async () => {
      const other = edited(text, { phone: '+31 20 555 0999' });
      expect(await removeKnown(other)).toMatchObject({ outcome: 'INVALID', messages: [mismatch, dryRun] });
      expect((await removeKnown(other, bob)).messages).not.toContain(mismatch);
    });

    test('400: filtered output, an object of another key', async () => {
      const filtered = edited(text, { source: 'TEST # Filtered' });
      expect((await removeKnown(filtered)).messages).toContain('E Cannot submit filtered whois output for updates');
      expect((await removeKnown(named('MM2-TEST'))).messages).toContain('E Primary key (MM1-TEST) cannot be modified.');
    });
  });

  test('dry run: the object is still there', async () => {
    await writer().create(named('DX1-TEST'));
    expect(await writer().remove('person', 'DX1-TEST', alice, true)).toMatchObject({
      outcome: 'DELETED',
      messages: [dryRun],
      serial: 0n,
    });
    expect(await lookup(setup.context, 'person', 'dx1-test')).toBeDefined();
  });

  test('an object that only refers to itself is deleted', async () => {
    const self = edited(mntner, { mntner: 'SELF-MNT', 'mnt-by': 'SELF-MNT', 'mnt-ref': 'SELF-MNT' });
    await writer().create(self);
    expect((await writer().remove('mntner', 'SELF-MNT')).outcome).toBe('DELETED');
  });
});

describe('auth: SSO', () => {
  const withAuth = (auth: string) =>
    edited(mntner, { mntner: 'SSO-MNT', 'mnt-by': 'EXAMPLE-MNT', 'mnt-ref': undefined, auth });

  test('400: an account that the identity provider does not know', async () => {
    const { outcome, raw } = await writer().create(withAuth('SSO nobody@example.net'));
    expect(outcome).toBe('INVALID');
    expect(raw).toMatchObject([
      { text: 'No RIPE NCC Access Account found for %s', args: ['nobody@example.net'], attribute: { name: 'auth' } },
    ]);
  });

  test('401: an anonymous caller does not learn who has an account', async () => {
    for (const auth of ['SSO nobody@example.net', 'SSO alice@example.net']) {
      const { outcome, messages } = await writerBy(undefined).create(withAuth(auth));
      expect({ outcome, messages }).toEqual({
        outcome: 'UNAUTHORISED',
        messages: [notAuthorised('mntner', 'SSO-MNT'), triedNone],
      });
    }
  });

  test('any letter case', async () => {
    expect((await writer().create(withAuth('sso ALICE@example.net'), alice, true)).outcome).toBe('CREATED');
  });

  test('nothing is stored unchecked when the auth service is unavailable', async () => {
    const away = writerOf(setup.context, {
      accounts: {
        resolve: async () => {
          throw new Error('connection refused');
        },
        resolveSubjects: async () => new Map(),
      },
    });
    const failure = await away.create(withAuth('SSO alice@example.net')).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ServiceError);
    expect(failure).toMatchObject({
      kind: 'unavailable',
      messages: [{ text: 'RIPE NCC Access server is unavailable' }],
    });
    expect(await lookup(setup.context, 'mntner', 'sso-mnt')).toBeUndefined();
    expect((await away.create(named('SX1-TEST'), alice, true)).outcome).toBe('CREATED');
  });

  test('G-NO-MD5: a password is refused after authority was checked', async () => {
    const text = withAuth('MD5-PW $1$abcdefgh$0123456789ABCDEFabcdef');
    expect((await writer().create(text, bob)).outcome).toBe('UNAUTHORISED');
    expect((await writer().create(text)).messages).toEqual([
      'E MD5 hashed password authentication is deprecated. Please switch to an alternative authentication method.',
    ]);
  });
});

describe('an anonymous write', () => {
  const text = named('NB1-TEST', { org: 'ORG-NO1-TEST' });
  const stored = edited(named('NB2-TEST'), { 'mnt-by': 'EXAMPLE-MNT, OTHER-MNT' });
  const refusal = (handle: string, maintainers: string) => ({
    outcome: 'UNAUTHORISED',
    messages: [notAuthorised('person', handle).replace('EXAMPLE-MNT', maintainers), triedNone],
    serial: 0n,
  });
  /** Allows only single read-only statements. */
  const reading = () => {
    const refuse = () => Promise.reject(new Error('the caller is anonymous'));
    const writePool = { query: refuse, connect: refuse } as unknown as typeof setup.context.writePool;
    const other = { resolve: refuse, resolveSubjects: refuse };
    return writerOf({ ...setup.context, writePool }, { accounts: other, delegations: refuse });
  };
  beforeAll(() => put(setup.context, stored));

  test.each([undefined, principal('')])(
    'is refused before a transaction and before any call to another service',
    async (by) => {
      const { client } = reading();
      const options = { dryRun: false, ...(by && { principal: by }) };
      const create = async (object: string) =>
        seen(
          (
            await client.createObject({
              source: 'TEST',
              type: object.slice(0, object.indexOf(':')),
              object: submitted(object),
              options,
            })
          ).result,
        );
      const key = (handle: string) => ({ source: 'TEST', type: 'person', key: handle });
      const update = async (handle: string, object: string) =>
        seen((await client.updateObject({ key: key(handle), object: submitted(object), options })).result);
      const remove = async (handle: string) =>
        seen((await client.deleteObject({ key: key(handle), reason: '', options })).result);

      expect(await create(text)).toMatchObject({ ...refusal('NB1-TEST', 'EXAMPLE-MNT'), text });
      // An anonymous caller does not learn that it exists.
      expect(await create(named('NB2-TEST'))).toMatchObject(refusal('NB2-TEST', 'EXAMPLE-MNT'));
      expect(await update('NB2-TEST', named('NB2-TEST'))).toMatchObject(refusal('NB2-TEST', 'EXAMPLE-MNT, OTHER-MNT'));
      expect(await remove('NB2-TEST')).toMatchObject({
        ...refusal('NB2-TEST', 'EXAMPLE-MNT, OTHER-MNT'),
        object: undefined,
      });
      expect((await update('NO1-TEST', named('NO1-TEST'))).outcome).toBe('NOT_FOUND');
      expect((await remove('NO1-TEST')).outcome).toBe('NOT_FOUND');
      expect((await create(edited(mntner, { mntner: 'NB-MNT', auth: 'SSO no@example.net' }))).outcome).toBe(
        'UNAUTHORISED',
      );
      expect((await create(edited(samples.domain, { 'mnt-by': 'EXAMPLE-MNT' }))).outcome).toBe('UNAUTHORISED');
      // Errors in the text come first.
      expect((await create(edited(text, { phone: 'none' }))).outcome).toBe('INVALID');
    },
  );
});

test('an unexpected failure stores nothing and reveals nothing', async () => {
  const broken = { ...setup.context, clock: () => new Date(Number.NaN) };
  const failure = await writerOf(broken)
    .create(named('UX1-TEST'))
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ kind: 'internal', messages: [{ text: 'Internal error' }] });
  expect(await lookup(setup.context, 'person', 'ux1-test')).toBeUndefined();
});

/** A writer for this caller, or an anonymous one. */
function writerBy(by: typeof alice | undefined) {
  const { client } = writer();
  return {
    create: async (text: string) => {
      const object = submitted(text);
      const type = object.attributes[0]!.name;
      const options = { dryRun: false, ...(by && { principal: by }) };
      return seen((await client.createObject({ source: 'TEST', type, object, options })).result);
    },
  };
}
