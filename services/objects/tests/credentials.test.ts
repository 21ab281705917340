import { ChangeAction } from '@cadastre/proto/objects';
import { CredentialKind, type Principal, View } from '@cadastre/proto/registry';
import { samples } from '@cadastre/rpsl';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pem, pemFingerprint } from './example-certificate.js';
import { inetnum, loadText, mntner, person, put, readerOf, remove, useContext } from './test-context.js';
import { edited, principal, writerOf } from './write-context.js';

// The credentials that prove that a caller is a maintainer, on stored objects.

const setup = useContext();
const writer = () => writerOf(setup.context);

const dryRun = 'I Dry-run performed, no changes to the database have been made';
const certif = `certif:${pem.split('\n').join('\ncertif:')}\n`;
const x509 = (name: string) => `key-cert: ${name}\n${certif}mnt-by: SELF-MNT\nsource: TEST\n`;
const pgp = edited(samples['key-cert'], {
  org: undefined,
  'admin-c': undefined,
  'tech-c': undefined,
  'mnt-by': 'SELF-MNT',
});
const pgpFingerprint = 'ea446ddc2d25aa426e6642e864045ed648c3fc51';
const withAuth = (name: string, ...auth: string[]) =>
  edited(mntner(name, 'SB1-TEST'), { auth: auth.join('\nauth:           ') });

const { CREDENTIAL_KIND_CLIENT_CERTIFICATE: clientCertificate, CREDENTIAL_KIND_SIGNATURE: signature } = CredentialKind;
const nobody = { ...principal(''), credentials: [] };
const holder: Principal = { ...nobody, credentials: [clientCertificate], keyFingerprints: [pemFingerprint] };
const signer: Principal = { ...nobody, credentials: [signature], keyFingerprints: [pgpFingerprint] };
const account = principal('own@example.net');

beforeAll(async () => {
  const stored = [
    mntner('SELF-MNT', 'SB1-TEST', 'SSO self@example.net'),
    withAuth('CERT-MNT', 'PGPKEY-00000000', 'X509-1'),
    withAuth('PGP-MNT', 'PGPKEY-48C3FC51'),
    withAuth('OWN-MNT', 'SSO own@example.net'),
    withAuth('TWO-MNT', 'SSO own@example.net'),
    withAuth('SUBJECT-MNT', 'SSO 0f9c-77@provider'),
    `irt: IRT-CERT\naddress: x\ne-mail: i@example.net\nauth: X509-1\nmnt-by: SELF-MNT\nsource: TEST\n`,
    x509('X509-1'),
    pgp,
    person('SB1-TEST').replace('ONE-MNT', 'SELF-MNT'),
    inetnum('10.0.0.0 - 10.255.255.255').replace('ONE-MNT', 'CERT-MNT'),
  ];
  for (const object of stored) {
    await put(setup.context, object);
  }
});

const personOf = (...maintainers: string[]) => person('AA1-TEST').replace('ONE-MNT', maintainers.join(', '));
const outcomeFor = async (by: Principal, ...maintainers: string[]) =>
  (await writer().create(personOf(...maintainers), by, true)).outcome;

describe('a write is authorised by', () => {
  test.each<[string, Principal, string, string]>([
    ['the holder of a certificate that a line after another names', holder, 'CERT-MNT', 'CREATED'],
    ['the holder of another certificate', { ...holder, keyFingerprints: ['00'] }, 'CERT-MNT', 'UNAUTHORISED'],
    ['one of several certificates', { ...holder, keyFingerprints: ['00', pemFingerprint] }, 'CERT-MNT', 'CREATED'],
    ['a PGP key', signer, 'PGP-MNT', 'CREATED'],
    ['a PGP key, for a mntner that names a certificate', signer, 'CERT-MNT', 'UNAUTHORISED'],
    ['a certificate, for a mntner that names an account', holder, 'OWN-MNT', 'UNAUTHORISED'],
    ['an account by its name', account, 'OWN-MNT', 'CREATED'],
    ['an account by its subject', { ...nobody, accountId: '0f9c-77@provider' }, 'SUBJECT-MNT', 'CREATED'],
    ['another subject', { ...nobody, accountId: '0f9c-78@provider' }, 'SUBJECT-MNT', 'UNAUTHORISED'],
    ['a key limited to another maintainer', { ...account, maintainers: ['TWO-MNT'] }, 'OWN-MNT', 'UNAUTHORISED'],
    ['a certificate beside such a limit', { ...holder, maintainers: ['TWO-MNT'] }, 'CERT-MNT', 'UNAUTHORISED'],
  ])('%s', async (_what, by, maintainer, expected) => {
    expect(await outcomeFor(by, maintainer)).toBe(expected);
  });

  test('a limited key, where one of several maintainers is its own', async () => {
    expect(await outcomeFor({ ...account, maintainers: ['TWO-MNT'] }, 'OWN-MNT', 'TWO-MNT')).toBe('CREATED');
  });

  test('two credentials of one request, each for its part', async () => {
    const net = inetnum('10.1.0.0 - 10.1.255.255').replace('ONE-MNT', 'OWN-MNT');
    const both = { ...account, keyFingerprints: [pemFingerprint] };
    expect((await writer().create(net, account, true)).outcome).toBe('UNAUTHORISED');
    expect((await writer().create(net, holder, true)).outcome).toBe('UNAUTHORISED');
    expect((await writer().create(net, both, true)).outcome).toBe('CREATED');
  });

  test('a new mntner’s own certificate, which comes in the same write', async () => {
    const pair = [
      [ChangeAction.CHANGE_ACTION_CREATE, withAuth('NEW-MNT', 'AUTO-1')],
      [ChangeAction.CHANGE_ACTION_CREATE, x509('AUTO-1').replace('SELF-MNT', 'NEW-MNT')],
    ] as const;
    const outcomes = async (by: Principal) => (await writer().apply(pair, by, true)).map((result) => result.outcome);
    expect(await outcomes(holder)).toEqual(['CREATED', 'CREATED']);
    expect(await outcomes(account)).toEqual(['UNAUTHORISED', 'UNAUTHORISED']);
  });

  test('the stored key, not the one that the same write puts in its place', async () => {
    const self = principal('self@example.net');
    const taken = [
      [ChangeAction.CHANGE_ACTION_UPDATE, edited(pgp, { remarks: 'the same key' })],
      [ChangeAction.CHANGE_ACTION_CREATE, personOf('PGP-MNT')],
    ] as const;
    const outcomes = async (by: Principal) => (await writer().apply(taken, by, true)).map((result) => result.outcome);
    expect(await outcomes({ ...self, keyFingerprints: [pgpFingerprint] })).toEqual(['MODIFIED', 'CREATED']);
    expect(await outcomes({ ...self, keyFingerprints: ['00'] })).toEqual(['SKIPPED', 'UNAUTHORISED']);
  });
});

describe('key-certs that are named but missing (from a bulk load)', () => {
  const missing = [
    'W The key-cert object PGPKEY-00000000 does not exist',
    'W The key-cert object X509-9 does not exist',
  ];
  beforeAll(async () => {
    await loadText(setup.context, withAuth('GONE-MNT', 'X509-9', 'PGPKEY-48C3FC52', 'SSO gone@example.net'));
    await put(setup.context, withAuth('TWICE-MNT', 'X509-9', 'PGPKEY-00000000', 'X509-8'));
    await put(setup.context, 'key-cert: X509-8\ncertif: nothing\nmnt-by: SELF-MNT\nsource: TEST\n');
  });

  test('a caller with keys learns which key-certs prove nothing, and why', async () => {
    const said = (await writer().create(personOf('TWICE-MNT', 'CERT-MNT'), { ...holder, keyFingerprints: ['00'] }))
      .messages;
    expect(said.filter((message) => message.startsWith('W ')).sort()).toEqual([
      ...missing,
      'W The public key data held in the key-cert object X509-8 has syntax errors',
    ]);
  });

  test('a caller without keys does not', async () => {
    const said = (await writer().create(personOf('TWICE-MNT'), account)).messages;
    expect(said.filter((message) => message.startsWith('W '))).toEqual([]);
  });

  test('the number of a named certificate is never assigned', async () => {
    const { object } = await writer().create(x509('AUTO-1'), principal('self@example.net'), true);
    expect(Number(object!.key.replace('X509-', ''))).toBeGreaterThan(9);
  });

  describe('a key-cert of such a name', () => {
    const named = edited(pgp, { 'mnt-by': 'OWN-MNT' });
    const create = (by: Principal) => writer().create(named, by, true);
    const refusal =
      'E Authorisation for [mntner] GONE-TOO-MNT failed\nusing "auth:"\nnot authenticated by: GONE-TOO-MNT';
    beforeAll(async () => {
      await remove(setup.context, 'key-cert', 'pgpkey-48c3fc51');
      await put(setup.context, withAuth('GONE-TOO-MNT', 'PGPKEY-48C3FC51', 'SSO gone@example.net'));
    });
    afterAll(() => put(setup.context, pgp));

    test('is not created by somebody else', async () => {
      const { outcome, messages } = await create(account);
      expect(outcome).toBe('UNAUTHORISED');
      expect(messages).toContain(refusal);
    });

    test('nor does its key, in the same write, prove the mntners that name it', async () => {
      const { outcome, messages } = await create({ ...account, keyFingerprints: [pgpFingerprint] });
      expect(outcome).toBe('UNAUTHORISED');
      expect(messages).toContain(refusal);
      const own = edited(pgp, { 'mnt-by': 'PGP-MNT' });
      expect((await writer().create(own, signer, true)).outcome).toBe('UNAUTHORISED');
    });

    test('is created by a caller who is all of those, or by the operator', async () => {
      const policy = { ...setup.context.policy, operatorMaintainers: ['OWN-MNT'] };
      expect((await writerOf(setup.context, { policy }).create(named, account, true)).outcome).toBe('CREATED');
      const all = edited(pgp, { 'mnt-by': 'GONE-TOO-MNT' });
      await put(setup.context, withAuth('PGP-MNT', 'SSO gone@example.net'));
      expect((await writer().create(all, principal('gone@example.net'), true)).outcome).toBe('CREATED');
      await put(setup.context, withAuth('PGP-MNT', 'PGPKEY-48C3FC51'));
    });
  });
});

describe('the whole address space', () => {
  const root = inetnum('0.0.0.0 - 255.255.255.255').replace('ONE-MNT', 'OWN-MNT');
  const create = (operators: string[]) => {
    const policy = { ...setup.context.policy, operatorMaintainers: operators };
    return writerOf(setup.context, { policy }).create(root, account, true);
  };

  test('is registered by the operator only', async () => {
    expect((await create(['OWN-MNT'])).outcome).toBe('CREATED');
    const refused = await create(['SELF-MNT', 'NOT-THERE-MNT']);
    expect([refused.outcome, refused.messages]).toEqual([
      'UNAUTHORISED',
      [
        'E Setting status ASSIGNED PA requires administrative authorisation',
        'I This takes a maintainer of the registry operator: SELF-MNT, NOT-THERE-MNT',
        'I Credentials tried: API key',
        dryRun,
      ],
    ]);
    expect((await create([])).messages).toContain('I This takes a maintainer of the registry operator: none is set');
  });
});

describe('a refusal names the tried credentials', () => {
  test.each<[string, Principal, string]>([
    ['nothing', nobody, 'none'],
    ['one', holder, 'client certificate'],
    [
      'several, in their order',
      { ...account, credentials: [1, 2, 3, 4, 5] },
      'API key, session, bearer token, client certificate, signature',
    ],
  ])('%s', async (_what, by, expected) => {
    const { raw } = await writer().create(personOf('SELF-MNT'), by);
    expect(raw.at(-1)).toMatchObject({ severity: 3, text: 'Credentials tried: %s', args: [expected] });
  });
});

describe('R3: auth is shown to the maintainer itself', () => {
  const shows = async (type: string, key: string, by: Principal | undefined, view = View.VIEW_UNFILTERED) => {
    const lookup = { key: { source: 'TEST', type, key }, view, withContacts: false, ...(by && { principal: by }) };
    const { answers } = await readerOf(setup.context).batchLookup({ lookups: [lookup] });
    return answers[0]!.object!.text.includes('auth:');
  };

  test.each<[string, string, string, Principal | undefined, boolean]>([
    ['by certificate', 'mntner', 'CERT-MNT', holder, true],
    ['by certificate, of an irt', 'irt', 'IRT-CERT', holder, true],
    ['by PGP key', 'mntner', 'PGP-MNT', signer, true],
    ['by account', 'mntner', 'OWN-MNT', account, true],
    ['another certificate', 'mntner', 'CERT-MNT', { ...holder, keyFingerprints: ['00'] }, false],
    ['a mntner in mnt-by', 'irt', 'IRT-CERT', principal('self@example.net'), false],
    ['nobody', 'mntner', 'CERT-MNT', undefined, false],
    ['a limit to others', 'mntner', 'CERT-MNT', { ...holder, maintainers: ['OWN-MNT'] }, false],
  ])('%s', async (_what, type, key, by, expected) => {
    expect(await shows(type, key, by)).toBe(expected);
  });

  test('only unfiltered', async () => {
    expect(await shows('mntner', 'CERT-MNT', holder, View.VIEW_FILTERED)).toBe(false);
  });
});

describe('key-cert', () => {
  const self = principal('self@example.net');

  test('a PGP key under the name of another is refused', async () => {
    const { outcome, messages } = await writer().create(edited(pgp, { 'key-cert': 'PGPKEY-11111111' }), self);
    expect(outcome).toBe('INVALID');
    expect(messages).toEqual(['E Syntax error in PGPKEY-11111111 (must be PGPKEY-48C3FC51 for this key)']);
  });

  test('an expired certificate is refused; a stored one can still be changed', async () => {
    setup.clock.set('2037-01-01T00:00:00Z');
    const { messages } = await writer().create(x509('AUTO-1'), self, true);
    expect(messages).toContainEqual(expect.stringMatching(/^E Public key in keycert X509-\d+ has expired$/));
    const update = await writer().update('key-cert', 'X509-1', `${x509('X509-1')}remarks: old\n`, self, true);
    expect(update.outcome).toBe('MODIFIED');
    setup.clock.set('2026-01-01T00:00:00Z');
  });
});

describe('the policy profile of an RIR', () => {
  const net = (range: string, status: string) =>
    inetnum(range).replace('ONE-MNT', 'SELF-MNT').replace('ASSIGNED PA', status);
  const under = (profile: 'none' | 'rir') => writerOf(setup.context, { policy: { ...setup.context.policy, profile } });
  const both = { ...principal('self@example.net'), keyFingerprints: [pemFingerprint] };

  test('checks all children and the parent; no other registry does', async () => {
    for (const range of ['10.9.0.0 - 10.9.0.255', '10.9.1.0 - 10.9.1.255', '10.9.2.0 - 10.9.2.255']) {
      await put(setup.context, net(range, range.startsWith('10.9.2') ? 'LEGACY' : 'ASSIGNED PA'));
    }
    const above = net('10.9.0.0 - 10.9.255.255', 'SUB-ALLOCATED PA');
    expect((await under('none').create(above, both, true)).outcome).toBe('CREATED');
    expect((await under('rir').create(above, both, true)).messages).toContain(
      "E Status SUB-ALLOCATED PA not allowed when more specific object '10.9.2.0 - 10.9.2.255' has status LEGACY",
    );
    const below = net('10.8.0.0 - 10.8.255.255', 'ASSIGNED PI');
    expect((await under('rir').create(below, both, true)).messages).toContain(
      'E inetnum parent has incorrect status: ASSIGNED PA',
    );
  });

  describe('reserves registry statuses for the operator', () => {
    const self = principal('self@example.net');
    const operated = (operators: string[]) => {
      const policy = { ...setup.context.policy, profile: 'rir' as const, operatorMaintainers: operators };
      return writerOf(setup.context, { policy });
    };
    const allocation = net('11.0.0.0 - 11.255.255.255', 'ALLOCATED PA');
    const needed = (operators: string) => `I This takes a maintainer of the registry operator: ${operators}`;
    beforeAll(async () => {
      await put(setup.context, net('0.0.0.0 - 255.255.255.255', 'ALLOCATED UNSPECIFIED'));
      await put(setup.context, net('12.0.0.0 - 12.255.255.255', 'ALLOCATED PA'));
      await put(setup.context, net('12.1.0.0 - 12.1.255.255', 'ASSIGNED PA'));
    });

    test('only the operator creates and deletes networks of these statuses, and maintains them', async () => {
      const create = async (operators: string[]) => (await operated(operators).create(allocation, self, true)).messages;
      expect(await create(['SELF-MNT'])).toEqual([dryRun]);
      const error = 'E Status ALLOCATED PA can only be created by the database administrator';
      expect(await create(['OWN-MNT'])).toEqual(expect.arrayContaining([error, needed('OWN-MNT')]));
      const shared = allocation.replace('SELF-MNT', 'SELF-MNT, OWN-MNT');
      expect((await operated(['OWN-MNT']).create(shared, self, true)).messages).toContain(
        'E Setting status ALLOCATED PA requires administrative authorisation',
      );
      const remove = (operators: string[]) => operated(operators).remove('inetnum', '12.0.0.0/8', self, true);
      expect((await remove(['OWN-MNT'])).messages).toContain(
        'E Object with status ALLOCATED PA can only be deleted by the database administrator',
      );
      expect(await remove(['SELF-MNT'])).toMatchObject({
        outcome: 'DELETED',
        messages: [
          "W Status ALLOCATED UNSPECIFIED not allowed when more specific object '12.1.0.0 - 12.1.255.255' has status ASSIGNED PA",
          dryRun,
        ],
      });
    });

    test('statuses stay, but for the switch between allocations', async () => {
      const update = async (range: string, status: string) =>
        (await operated(['SELF-MNT']).update('inetnum', range, net(range, status), self, true)).messages;
      const misfit = expect.stringContaining("more specific object '12.1.0.0 - 12.1.255.255' has status ASSIGNED PA");
      expect(await update('12.0.0.0 - 12.255.255.255', 'ALLOCATED-ASSIGNED PA')).toEqual([misfit, dryRun]);
      expect(await update('12.1.0.0 - 12.1.255.255', 'ASSIGNED PI')).toEqual([
        'E status value cannot be changed, you must delete and re-create the object',
        dryRun,
      ]);
      expect(
        (
          await under('none').update(
            'inetnum',
            '12.1.0.0/16',
            net('12.1.0.0 - 12.1.255.255', 'ASSIGNED PI'),
            self,
            true,
          )
        ).outcome,
      ).toBe('MODIFIED');
    });

    test('only the operator creates top-level LEGACY networks', async () => {
      const legacy = net('13.0.0.0 - 13.255.255.255', 'LEGACY');
      const refusal = expect.stringContaining("a top level object with status 'LEGACY'");
      const create = async (operators: string[]) => (await operated(operators).create(legacy, self, true)).messages;
      expect(await create(['OWN-MNT'])).toContainEqual(refusal);
      expect(await create(['SELF-MNT'])).toEqual([dryRun]);
    });
  });
});
