import { ChangeAction } from '@cadastre/proto/objects';
import { beforeAll, describe, expect, test } from 'vitest';
import { person as personText, put, text, useContext } from './test-context.js';
import { principal, writerOf } from './write-context.js';

// Who must authorise what. Every mntner has the accounts whose name lists it: `own+lower` may act as OWN-MNT and
// LOWER-MNT. All writes are dry runs, so that no case depends on another.

const setup = useContext();

type Lines = readonly (readonly [string, string])[];
type Operation = 'create' | 'modify' | 'delete';
type Case = readonly [what: string, operation: Operation, object: string, signer: string, refusals?: readonly string[]];

const source = ['source', 'TEST'] as const;
const by = (...names: string[]): Lines => names.map((name) => ['mnt-by', name] as const);
const contacts: Lines = [
  ['admin-c', 'PP1-TEST'],
  ['tech-c', 'PP1-TEST'],
];

const inetnum = (range: string, ...more: Lines) =>
  text([
    ['inetnum', range],
    ['netname', 'TEST-NET'],
    ['country', 'NL'],
    ...contacts,
    ['status', 'ASSIGNED PA'],
    ...more,
    source,
  ]);
const inet6num = (prefix: string, ...more: Lines) =>
  inetnum(prefix, ...more)
    .replace('inetnum: ', 'inet6num:')
    .replace('ASSIGNED PA', 'ASSIGNED');
const asBlock = (block: string, ...more: Lines) => text([['as-block', block], ...more, source]);
const autNum = (number: string, ...more: Lines) =>
  text([['aut-num', number], ['as-name', 'TEST-AS'], ...contacts, ...more, source]);
const route = (prefix: string, origin: string, ...more: Lines) =>
  text([['route', prefix], ['origin', origin], ...more, source]);
const route6 = (prefix: string, origin: string, ...more: Lines) =>
  text([['route6', prefix], ['origin', origin], ...more, source]);
const domain = (name: string, ...more: Lines) =>
  text([
    ['domain', name],
    ...contacts,
    ['zone-c', 'PP1-TEST'],
    ['nserver', 'ns1.example.net'],
    ['nserver', 'ns2.example.net'],
    ...more,
    source,
  ]);
const asSet = (name: string, ...more: Lines) => text([['as-set', name], ...contacts, ...more, source]);
const person = (handle: string, ...more: Lines) =>
  personText(handle).replace(/mnt-by:.*\nsource:.*\n/, text([...more, source]));
const organisation = (key: string, ...more: Lines) =>
  text([
    ['organisation', key],
    ['org-name', 'Test'],
    ['org-type', 'OTHER'],
    ['address', 'Street 1'],
    ['country', 'NL'],
    ['e-mail', 'org@example.net'],
    ...more,
    source,
  ]);
const irt = (name: string, ...more: Lines) =>
  text([['irt', name], ['address', 'Street 1'], ['e-mail', 'irt@example.net'], ...contacts, ...more, source]);

const own = by('OWN-MNT');
const upper = by('UPPER-MNT');
const lower: Lines = [['mnt-lower', 'LOWER-MNT']];

/** The stored objects. */
const world = [
  person('PP1-TEST', ...upper),
  person('PR1-TEST', ...upper, ['mnt-ref', 'REF-MNT']),
  inetnum('0.0.0.0 - 255.255.255.255', ...upper),
  inetnum('10.0.0.0 - 10.255.255.255', ...upper, ...lower),
  inetnum('10.1.0.0 - 10.1.255.255', ...upper),
  inetnum('10.2.0.0 - 10.2.255.255', ...upper, ...lower, ['mnt-domains', 'DOMAINS-MNT']),
  inetnum('10.5.0.0 - 10.5.255.255', ...upper, ...lower, ['mnt-routes', 'ROUTES-MNT {10.5.0.0/16^17-24}']),
  inetnum('10.6.0.0 - 10.6.255.255', ...upper, ['mnt-routes', 'ROUTES-MNT ANY']),
  inet6num('::/0', ...upper, ...lower),
  asBlock('AS64496 - AS64511', ...upper, ...lower),
  asBlock('AS65536 - AS65551', ...upper),
  route('10.3.0.0/16', 'AS64500', ...upper, ...lower),
  route('10.4.0.0/16', 'AS64500', ...upper),
  route('10.4.0.0/16', 'AS64501', ...by('OTHER-MNT')),
  asSet('AS-TOP', ...upper, ...lower),
  asSet('AS-PLAIN', ...upper),
  organisation('ORG-RR1-TEST', ...upper, ['mnt-ref', 'REF-MNT']),
  organisation('ORG-GO1-TEST', ...upper, ['mnt-ref', 'GONE-MNT']),
  irt('IRT-ONE', ['auth', 'SSO own+upper+team@example.net'], ...upper),
  irt('IRT-TWO', ['auth', 'SSO two@example.net'], ...upper),
  inetnum('10.7.0.0 - 10.7.255.255', ...own, ['org', 'ORG-RR1-TEST'], ['mnt-irt', 'IRT-ONE']),
  route('10.7.0.0/16', 'AS64500', ...own),
  domain('7.10.in-addr.arpa', ...own),
  autNum('AS64500', ...own),
];

const refused = (object: string, attribute: string, names: string, what = '') =>
  `E Authorisation for ${what}${object} failed\nusing "${attribute}:"\n${names === '' ? 'no valid maintainer found\n' : `not authenticated by: ${names}`}`;
const parentRefused = (object: string, attribute: string, names: string) =>
  refused(object, attribute, names, 'parent ');
const net = '10.0.1.0 - 10.0.1.255';
const under1 = '10.1.1.0 - 10.1.1.255';
const slash8 = '[inetnum] 10.0.0.0 - 10.255.255.255';
const route5 = (prefix: string) => route(prefix, 'AS64502', ...own);
const ranged = '[inetnum] 10.5.0.0 - 10.5.255.255';
const stored7 = inetnum('10.7.0.0 - 10.7.255.255', ...own, ['org', 'ORG-RR1-TEST'], ['mnt-irt', 'IRT-ONE']);

const cases: readonly Case[] = [
  // mnt-by
  ['own mntner', 'create', person('AA1-TEST', ...own), 'own'],
  ['one of several', 'create', person('AA1-TEST', ...by('OTHER-MNT', 'OWN-MNT')), 'own'],
  ['nobody', 'create', person('AA1-TEST', ...own), '', [refused('[person] AA1-TEST', 'mnt-by', 'OWN-MNT')]],
  [
    'all candidates are named, in their order',
    'create',
    person('AA1-TEST', ...by('OTHER-MNT', 'OWN-MNT')),
    'lower',
    [refused('[person] AA1-TEST', 'mnt-by', 'OTHER-MNT, OWN-MNT')],
  ],
  [
    'the stored mntner counts on MODIFY',
    'modify',
    person('PP1-TEST', ...own),
    'own',
    [refused('[person] PP1-TEST', 'mnt-by', 'UPPER-MNT')],
  ],
  ['the old mntner gives an object away', 'modify', person('PP1-TEST', ...own), 'upper'],
  [
    'creating an existing object needs its own mntner only',
    'create',
    inetnum('10.1.0.0 - 10.1.255.255', ...own),
    'own',
    [
      refused('[inetnum] 10.1.0.0 - 10.1.255.255', 'mnt-by', 'UPPER-MNT'),
      'E Enforced new keyword specified, but the object already exists in the database',
    ],
  ],
  // the parent of addresses
  ['inetnum: own and mnt-lower of the parent', 'create', inetnum(net, ...own), 'own+lower'],
  ['inetnum: own only', 'create', inetnum(net, ...own), 'own', [parentRefused(slash8, 'mnt-lower', 'LOWER-MNT')]],
  ['inetnum: parent only', 'create', inetnum(net, ...own), 'lower', [refused(`[inetnum] ${net}`, 'mnt-by', 'OWN-MNT')]],
  [
    'inetnum: neither; the refusal names both',
    'create',
    inetnum(net, ...own),
    'other',
    [refused(`[inetnum] ${net}`, 'mnt-by', 'OWN-MNT'), parentRefused(slash8, 'mnt-lower', 'LOWER-MNT')],
  ],
  [
    'inetnum: mnt-by does not count beside mnt-lower',
    'create',
    inetnum(net, ...own),
    'own+upper',
    [parentRefused(slash8, 'mnt-lower', 'LOWER-MNT')],
  ],
  ['inetnum: mnt-by of a parent without mnt-lower', 'create', inetnum(under1, ...own), 'own+upper'],
  [
    'inetnum: not a parent further up',
    'create',
    inetnum(under1, ...own),
    'own+lower',
    [parentRefused('[inetnum] 10.1.0.0 - 10.1.255.255', 'mnt-by', 'UPPER-MNT')],
  ],
  ['inet6num: own and mnt-lower of the parent', 'create', inet6num('2001:db8::/32', ...own), 'own+lower'],
  [
    'inet6num: own only',
    'create',
    inet6num('2001:db8::/32', ...own),
    'own',
    [parentRefused('[inet6num] ::/0', 'mnt-lower', 'LOWER-MNT')],
  ],
  ['the parent does not count on MODIFY', 'modify', stored7.replace('TEST-NET', 'NEW-NET'), 'own'],
  ['nor on DELETE', 'delete', 'route 10.7.0.0/16AS64500', 'own'],
  [
    'the parent may not delete',
    'delete',
    'route 10.7.0.0/16AS64500',
    'upper',
    [refused('[route] 10.7.0.0/16AS64500', 'mnt-by', 'OWN-MNT')],
  ],
  // as-block
  ['aut-num: own and mnt-lower of the as-block', 'create', autNum('AS64501', ...own), 'own+lower'],
  [
    'aut-num: own only',
    'create',
    autNum('AS64501', ...own),
    'own',
    [refused('[as-block] AS64496 - AS64511', 'mnt-lower', 'LOWER-MNT')],
  ],
  ['aut-num: mnt-by of an as-block without mnt-lower', 'create', autNum('AS65537', ...own), 'own+upper'],
  ['aut-num: no as-block', 'create', autNum('AS65000', ...own), 'own', ['E No parent as-block found for AS65000']],
  ['aut-num: the as-block does not count on MODIFY', 'modify', autNum('AS64500', ...own, ['remarks', 'x']), 'own'],
  ['as-block: own and the operator', 'create', asBlock('AS65000 - AS65001', ...own), 'own+operator'],
  [
    'as-block: own only',
    'create',
    asBlock('AS65000 - AS65001', ...own),
    'own',
    ['E As-block object are maintained by RIPE NCC'],
  ],
  [
    'as-block: the operator only',
    'create',
    asBlock('AS65000 - AS65001', ...own),
    'operator',
    [refused('[as-block] AS65000 - AS65001', 'mnt-by', 'OWN-MNT')],
  ],
  [
    'as-block: the operator on MODIFY too',
    'modify',
    asBlock('AS65536 - AS65551', ...upper, ['remarks', 'x']),
    'upper',
    ['E As-block object are maintained by RIPE NCC'],
  ],
  ['as-block: own on DELETE', 'delete', 'as-block AS65536 - AS65551', 'upper'],
  // reverse domains
  ['domain: mnt-domains', 'create', domain('2.10.in-addr.arpa', ...own), 'own+domains'],
  [
    'domain: mnt-domains alone decides',
    'create',
    domain('1.2.10.in-addr.arpa', ...own),
    'own+lower',
    [refused('[inetnum] 10.2.0.0 - 10.2.255.255', 'mnt-domains', 'DOMAINS-MNT')],
  ],
  ['domain: mnt-lower of a less specific network', 'create', domain('9.10.in-addr.arpa', ...own), 'own+lower'],
  [
    'domain: mnt-by does not count beside mnt-lower of a less specific network',
    'create',
    domain('9.10.in-addr.arpa', ...own),
    'own+upper',
    [refused(slash8, 'mnt-lower', 'LOWER-MNT')],
  ],
  [
    'domain: mnt-by of the very network, which has mnt-lower',
    'create',
    domain('5.10.in-addr.arpa', ...own),
    'own+upper',
  ],
  [
    'domain: mnt-lower of the very network does not count',
    'create',
    domain('5.10.in-addr.arpa', ...own),
    'own+lower',
    [refused('[inetnum] 10.5.0.0 - 10.5.255.255', 'mnt-by', 'UPPER-MNT')],
  ],
  ['domain: IPv6', 'create', domain('8.b.d.0.1.0.0.2.ip6.arpa', ...own), 'own+lower'],
  ['domain: ENUM needs the operator', 'create', domain('1.3.e164.arpa', ...own), 'own+operator'],
  [
    'domain: ENUM, own only',
    'create',
    domain('1.3.e164.arpa', ...own),
    'own',
    ['E Creating enum domain requires administrative authorisation'],
  ],
  ['domain: a root of delegations needs the operator', 'create', domain('in-addr.arpa', ...own), 'own+operator'],
  [
    'domain: a root of delegations, own only',
    'create',
    domain('ip6.arpa', ...own),
    'own',
    ['E Creating domain ip6.arpa requires administrative authorisation'],
  ],
  ['domain: the network does not count on DELETE', 'delete', 'domain 7.10.in-addr.arpa', 'own'],
  // routes
  ['route: mnt-lower of a less specific network', 'create', route('10.8.0.0/16', 'AS64500', ...own), 'own+lower'],
  [
    'route: own only',
    'create',
    route('10.8.0.0/16', 'AS64500', ...own),
    'own',
    [refused(slash8, 'mnt-lower', 'LOWER-MNT')],
  ],
  ['route: mnt-by of the very network', 'create', route('10.2.0.0/16', 'AS64500', ...own), 'own+upper'],
  ['route: mnt-routes whose list covers the prefix', 'create', route5('10.5.1.0/24'), 'own+routes'],
  [
    'route: mnt-routes, a prefix shorter than its list',
    'create',
    route5('10.5.0.0/16'),
    'own+routes',
    [refused(ranged, 'mnt-routes', '')],
  ],
  [
    'route: mnt-routes, a prefix longer than its list; no other attribute helps',
    'create',
    route5('10.5.1.0/25'),
    'own+lower',
    [refused(ranged, 'mnt-routes', '')],
  ],
  [
    'route: mnt-routes alone decides',
    'create',
    route5('10.5.1.0/24'),
    'own+lower',
    [refused(ranged, 'mnt-routes', 'ROUTES-MNT')],
  ],
  ['route: mnt-routes for any prefix', 'create', route5('10.6.0.0/17'), 'own+routes'],
  ['route: mnt-lower of a less specific route', 'create', route5('10.3.1.0/24'), 'own+lower'],
  [
    'route: the network is not asked where there are routes',
    'create',
    route5('10.4.1.0/24'),
    'own+lower',
    [
      refused('[route] 10.4.0.0/16AS64500', 'mnt-by', 'UPPER-MNT'),
      refused('[route] 10.4.0.0/16AS64501', 'mnt-by', 'OTHER-MNT'),
    ],
  ],
  ['route: one of several less specific routes', 'create', route5('10.4.1.0/24'), 'own+other'],
  ['route: the other one', 'create', route5('10.4.1.0/24'), 'own+upper'],
  ['route: mnt-by of a route of the same prefix', 'create', route5('10.3.0.0/16'), 'own+upper'],
  [
    'route: mnt-lower of a route of the same prefix does not count',
    'create',
    route5('10.3.0.0/16'),
    'own+lower',
    [refused('[route] 10.3.0.0/16AS64500', 'mnt-by', 'UPPER-MNT')],
  ],
  ['route6: mnt-lower of a less specific network', 'create', route6('2001:db8::/32', 'AS64500', ...own), 'own+lower'],
  [
    'route6: own only',
    'create',
    route6('2001:db8::/32', 'AS64500', ...own),
    'own',
    [refused('[inet6num] ::/0', 'mnt-lower', 'LOWER-MNT')],
  ],
  // sets
  ['set: mnt-lower of the parent', 'create', asSet('AS-TOP:AS-SUB', ...own), 'own+lower'],
  [
    'set: own only',
    'create',
    asSet('AS-TOP:AS-SUB', ...own),
    'own+upper',
    [parentRefused('[as-set] AS-TOP', 'mnt-lower', 'LOWER-MNT')],
  ],
  ['set: mnt-by of a parent without mnt-lower', 'create', asSet('AS-PLAIN:AS-SUB', ...own), 'own+upper'],
  ['set: under an aut-num', 'create', asSet('AS64500:AS-SUB', ...own), 'own'],
  ['set: a flat name', 'create', asSet('AS-FLAT', ...own), 'own'],
  // irt
  [
    'irt: an added team must agree',
    'modify',
    `${stored7}mnt-irt: IRT-TWO\n`,
    'own',
    [refused('[inetnum] 10.7.0.0 - 10.7.255.255', 'mnt-irt', 'IRT-TWO')],
  ],
  [
    'irt: not its mntner',
    'create',
    inetnum(under1, ...own, ['mnt-irt', 'IRT-TWO']),
    'own+upper',
    [refused(`[inetnum] ${under1}`, 'mnt-irt', 'IRT-TWO')],
  ],
  [
    'irt: one of the added teams is enough',
    'create',
    inetnum(under1, ...own, ['mnt-irt', 'IRT-TWO'], ['mnt-irt', 'IRT-ONE']),
    'own+upper+team',
  ],
  // references
  [
    'reference: an organisation needs its mnt-ref',
    'create',
    person('AA1-TEST', ...own, ['org', 'ORG-RR1-TEST']),
    'own',
    [refused('[organisation] ORG-RR1-TEST', 'mnt-ref', 'REF-MNT')],
  ],
  ['reference: its mnt-ref agrees', 'create', person('AA1-TEST', ...own, ['org', 'ORG-RR1-TEST']), 'own+ref'],
  [
    'reference: its mnt-by does not help',
    'create',
    person('AA1-TEST', ...own, ['org', 'ORG-RR1-TEST']),
    'own+upper',
    [refused('[organisation] ORG-RR1-TEST', 'mnt-ref', 'REF-MNT')],
  ],
  [
    'reference: an organisation whose mnt-ref mntners are gone',
    'create',
    person('AA1-TEST', ...own, ['org', 'ORG-GO1-TEST']),
    'own',
    [
      refused('[organisation] ORG-GO1-TEST', 'mnt-ref', ''),
      'W Referenced organisation ORG-GO1-TEST has mnt-ref attribute GONE-MNT which does not exist in the database',
    ],
  ],
  ['reference: existing ones need no consent', 'modify', stored7.replace('TEST-NET', 'NEW-NET'), 'own'],
  ['reference: removed ones need no consent', 'modify', inetnum('10.7.0.0 - 10.7.255.255', ...own), 'own'],
  [
    'reference: a person that has mnt-ref',
    'modify',
    autNum('AS64500', ...own).replace('PP1-TEST', 'PR1-TEST'),
    'own',
    [refused('[person] PR1-TEST', 'mnt-ref', 'REF-MNT')],
  ],
  [
    'reference: a mntner that has mnt-ref, in mnt-routes with a list of prefixes',
    'modify',
    `${stored7}mnt-routes: GUARDED-MNT {10.7.0.0/16}\n`,
    'own',
    [refused('[mntner] GUARDED-MNT', 'mnt-ref', 'REF-MNT')],
  ],
];

/** The accounts of the table. */
const signers = [...new Set([...cases.map(([, , , signer]) => signer), 'other'])];

function mntner(name: string, ...more: Lines): string {
  const nick = name.replace('-MNT', '').toLowerCase();
  const accounts = ['nobody', ...signers.filter((signer) => signer.split('+').includes(nick))];
  const auth = accounts.map((account) => ['auth', `SSO ${account}@example.net`] as const);
  const contact = [['admin-c', 'PP1-TEST'] as const, ['upd-to', 'u@example.net'] as const];
  return text([['mntner', name], ...contact, ...auth, ...by(name), ...more, source]);
}

const mntners = ['OWN', 'OTHER', 'UPPER', 'LOWER', 'DOMAINS', 'ROUTES', 'REF', 'OPERATOR'].map((name) =>
  mntner(`${name}-MNT`),
);

beforeAll(async () => {
  for (const object of [...mntners, mntner('GUARDED-MNT', ['mnt-ref', 'REF-MNT']), ...world]) {
    await put(setup.context, object);
  }
});

async function attempt(operation: Operation, object: string, signer: string) {
  const policy = { ...setup.context.policy, operatorMaintainers: ['operator-mnt'] };
  const writer = writerOf(setup.context, { policy });
  const caller = principal(signer === '' ? '' : `${signer}@example.net`);
  if (operation === 'create') return writer.create(object, caller, true);
  const [type = '', ...key] = object.split(' ');
  return operation === 'delete'
    ? writer.remove(type, key.join(' '), caller, true)
    : writer.update(typeOf(object), keyOf(object), object, caller, true);
}

const typeOf = (object: string) => object.slice(0, object.indexOf(':'));
const keyOf = (object: string) => (/^nic-hdl: +(.*)$/m.exec(object) ?? /^[^:]+: +(.*)$/m.exec(object))![1]!;

describe('who must authorise', () => {
  test.each(cases.map((one) => [one[0], one[3], one] as const))('%s (%s)', async (_what, signer, one) => {
    const [, operation, object, , refusals = []] = one;
    const { outcome, messages } = await attempt(operation, object, signer);
    const said = messages.filter((message) => /^[EW] /.test(message));
    expect(said).toEqual(refusals);
    expect(outcome).toBe(
      refusals.length > 0 ? 'UNAUTHORISED' : { create: 'CREATED', modify: 'MODIFIED', delete: 'DELETED' }[operation],
    );
  });
});

describe('several objects in one write', () => {
  const create = (...objects: string[]) =>
    objects.map((object) => [ChangeAction.CHANGE_ACTION_CREATE, object] as const);
  const outcomes = async (changes: readonly (readonly [number, string])[], signer: string) => {
    const results = await writerOf(setup.context).apply(changes, principal(`${signer}@example.net`), true);
    return results.map((result) => result.outcome);
  };

  test('two new routes of one prefix do not authorise each other', async () => {
    const pair = create(route('10.8.0.0/16', 'AS64501', ...own), route('10.8.0.0/16', 'AS64502', ...own));
    expect(await outcomes(pair, 'own')).toEqual(['UNAUTHORISED', 'UNAUTHORISED']);
    expect(await outcomes(pair, 'own+lower')).toEqual(['CREATED', 'CREATED']);
  });

  test('a new network authorises objects inside it, if it may itself be created', async () => {
    const family = create(
      inetnum('10.8.0.0 - 10.8.255.255', ...own),
      inetnum('10.8.1.0 - 10.8.1.255', ...own),
      route('10.8.0.0/16', 'AS64501', ...own),
      domain('8.10.in-addr.arpa', ...own),
    );
    expect(await outcomes(family, 'own+lower')).toEqual(['CREATED', 'CREATED', 'CREATED', 'CREATED']);
    expect(await outcomes(family, 'own')).toEqual(['UNAUTHORISED', 'SKIPPED', 'SKIPPED', 'SKIPPED']);
  });

  test('when the closest network is deleted, the one above it counts; when it changes, its old state counts', async () => {
    const child = inetnum('10.7.1.0 - 10.7.1.255', ...own);
    const remove = [ChangeAction.CHANGE_ACTION_DELETE, 'inetnum: 10.7.0.0 - 10.7.255.255\n'] as const;
    expect(await outcomes([remove, ...create(child)], 'own')).toEqual(['SKIPPED', 'UNAUTHORISED']);
    const changed = stored7.replace('OWN-MNT', 'OTHER-MNT');
    const update = [ChangeAction.CHANGE_ACTION_UPDATE, changed] as const;
    expect(await outcomes([update, ...create(child)], 'own')).toEqual(['MODIFIED', 'CREATED']);
    expect(await outcomes([update, ...create(child.replace('OWN-MNT', 'OTHER-MNT'))], 'other')).toEqual([
      'UNAUTHORISED',
      'UNAUTHORISED',
    ]);
  });
});
