import { ChangeAction } from '@cadastre/proto/objects';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Accounts } from '../src/context.js';
import { inetnum, loadText, lookup, mntner, person, put, text, useContext } from './test-context.js';
import { edited, principal, subject, writerOf } from './write-context.js';

// Decision W19: the creator of a name that stored objects already have would act for them. Nearly all writes here are
// dry runs.

const setup = useContext();
const own = principal('own@example.net');
const operator = principal('operator@example.net');
const ownMntner = (name: string) => mntner(name, 'SB1-TEST', 'SSO own@example.net');
const network = (number: number, maintainers: string) =>
  inetnum(`10.${number}.0.0 - 10.${number}.255.255`).replace('ONE-MNT', maintainers);
const irt = (name: string) =>
  text([
    ['irt', name],
    ['address', 'Street 1'],
    ['e-mail', 'irt@example.net'],
    ['admin-c', 'SB1-TEST'],
    ['tech-c', 'SB1-TEST'],
    ['auth', 'SSO own@example.net'],
    ['mnt-by', 'OWN-MNT'],
    ['source', 'TEST'],
  ]);

const operators = ['OPERATOR-MNT', 'ABSENT-HM-MNT'];
/** Everyone has an account. */
const accounts: Accounts = {
  resolve: async (names) => new Map(names.map((name) => [name, { id: subject(name), name }])),
  resolveSubjects: async () => new Map(),
};
const writer = () =>
  writerOf(setup.context, { accounts, policy: { ...setup.context.policy, operatorMaintainers: operators } });
const create = (object: string, by = own) => writer().create(object, by, true);
const needed = 'I This takes a maintainer of the registry operator: OPERATOR-MNT, ABSENT-HM-MNT';
const refusal = (holder: string, requested: string) =>
  `E Authorisation for [inetnum] ${holder} failed\nusing "mnt-by:"\n${requested}`;
const nobodyToAsk = 'no valid maintainer found\n';

beforeAll(async () => {
  const objects = [
    mntner('OPERATOR-MNT', 'SB1-TEST', 'SSO operator@example.net'),
    ownMntner('OWN-MNT'),
    mntner('OTHER-MNT', 'SB1-TEST', 'SSO other@example.net'),
    person('SB1-TEST').replace('ONE-MNT', 'OWN-MNT'),
    network(0, 'OWN-MNT'),
    network(1, 'GONE-MNT'),
    network(2, 'OWN-MNT, SHARED-MNT'),
    edited(network(3, 'OWN-MNT'), { 'mnt-lower': 'TWICE-MNT' }),
    edited(network(4, 'OTHER-MNT'), { 'mnt-routes': 'TWICE-MNT ANY' }),
    edited(network(5, 'OTHER-MNT'), { 'mnt-irt': 'IRT-GONE' }),
    edited(ownMntner('REFERRING-MNT'), { 'mnt-by': 'PARENT-MNT' }),
    ...Array.from({ length: 101 }, (_, n) =>
      inetnum(`192.0.2.${n} - 192.0.2.${n}`).replace('ONE-MNT', 'OWN-MNT, MANY-MNT'),
    ),
  ];
  await loadText(setup.context, objects.join('\n'));
});

describe('a name that stored objects refer to', () => {
  test.each<[string, string, readonly string[]]>([
    ['that no other mntner maintains', ownMntner('GONE-MNT'), [refusal('10.1.0.0 - 10.1.255.255', nobodyToAsk)]],
    [
      'one of which belongs to somebody else',
      ownMntner('TWICE-MNT'),
      [refusal('10.4.0.0 - 10.4.255.255', 'not authenticated by: OTHER-MNT')],
    ],
    ['as irt', irt('IRT-GONE'), [refusal('10.5.0.0 - 10.5.255.255', 'not authenticated by: OTHER-MNT')]],
    [
      'that are too many to check, whoever maintains them',
      ownMntner('MANY-MNT'),
      ['E Object [mntner] MANY-MNT is referenced from other objects'],
    ],
  ])('%s is created by the operator only', async (_what, object, refusals) => {
    const { outcome, messages } = await create(object);
    expect({ outcome, messages: messages.slice(0, -2) }).toEqual({
      outcome: 'UNAUTHORISED',
      messages: [...refusals, needed],
    });
    const byOperator = object.replaceAll('own@example.net', 'operator@example.net').replace('OWN-MNT', 'OPERATOR-MNT');
    expect((await create(byOperator, operator)).outcome).toBe('CREATED');
  });

  test.each([
    ['with the consent of the object that refers to it', ownMntner('SHARED-MNT')],
    ['with the consent of a mntner that refers to it', ownMntner('PARENT-MNT')],
  ])('%s: created', async (_what, object) => {
    expect((await create(object)).outcome).toBe('CREATED');
  });

  test('that nothing refers to: created', async () => {
    expect((await create(ownMntner('FRESH-MNT'))).outcome).toBe('CREATED');
    expect((await create(irt('IRT-FRESH'))).outcome).toBe('CREATED');
  });

  test.each([
    ['takes away', [ChangeAction.CHANGE_ACTION_DELETE, network(1, 'GONE-MNT')]],
    ['gives away', [ChangeAction.CHANGE_ACTION_UPDATE, network(1, 'OWN-MNT')]],
  ] as const)('is not free because the same write %s the object that refers to it', async (_what, change) => {
    const pair = [[ChangeAction.CHANGE_ACTION_CREATE, ownMntner('GONE-MNT')] as const, change];
    const outcomes = (await writer().apply(pair, own, true)).map(({ outcome }) => outcome);
    expect(outcomes).toContain('UNAUTHORISED');
    expect(outcomes).not.toContain('CREATED');
  });
});

describe('a maintainer of the operator that does not exist', () => {
  const absent = ownMntner('ABSENT-HM-MNT');

  test('is created by another maintainer of the operator', async () => {
    expect(await create(absent)).toMatchObject({
      outcome: 'UNAUTHORISED',
      messages: ['E You cannot create a RIPE NCC maintainer', needed, expect.any(String), expect.any(String)],
    });
    const byOperator = absent.replace('own@example.net', 'operator@example.net');
    expect((await create(byOperator, operator)).outcome).toBe('CREATED');
  });

  test('does not prove the operator in the write that creates it', async () => {
    const block = text([
      ['as-block', 'AS64496 - AS64511'],
      ['mnt-by', 'ABSENT-HM-MNT'],
      ['source', 'TEST'],
    ]);
    const pair = [absent, block].map((object) => [ChangeAction.CHANGE_ACTION_CREATE, object] as const);
    const outcomes = (await writer().apply(pair, own, true)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['UNAUTHORISED', 'UNAUTHORISED']);
  });
});

describe('a load', () => {
  test('names its missing maintainers', async () => {
    const dump = [network(20, 'LOST-MNT'), network(21, 'OWN-MNT, THERE-MNT'), ownMntner('THERE-MNT')].join('\n');
    const expected = { danglingMaintainers: 1n, danglingExamples: ['LOST-MNT'] };
    expect((await loadText(setup.context, dump, { dryRun: true })).summary).toMatchObject(expected);
    expect((await loadText(setup.context, dump)).summary).toMatchObject(expected);
    await put(setup.context, ownMntner('LOST-MNT'));
    expect((await loadText(setup.context, dump)).summary).toMatchObject({ danglingMaintainers: 0n });
  });

  test('that names a mntner during two creations: only the earlier creation succeeds', async () => {
    for (let round = 0; round < 20; round++) {
      const name = `RACE${round}-MNT`;
      const [one, two] = await Promise.all([
        writer().create(ownMntner(name), own),
        writer().create(mntner(name, 'SB1-TEST', 'SSO other@example.net'), principal('other@example.net')),
        loadText(setup.context, network(100 + round, name)),
      ]);
      const named = (await lookup(setup.context, 'inetnum', `10.${100 + round}.0.0/16`))!;
      const made = [one, two].filter(({ outcome }) => outcome === 'CREATED');
      expect(made.length).toBeLessThanOrEqual(1);
      expect(made.every(({ serial }) => serial < named.serial)).toBe(true);
    }
  });
});
