import { createCleartextMessage, generateKey, type PrivateKey, sign } from 'openpgp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { CertificateWithKey } from '../../../../services/gateway/src/server/self-signed.js';
import { selfSignedClient } from '../../../../services/gateway/tests/client-identity.fixture.js';
import { cmsSigned, keyCertText } from '../harness/client-identity.js';
import { type RequestOptions, type Rest, restClient } from '../harness/rest.js';
import { objectOf, values, type WhoisClient, whoisClient } from '../harness/whois.js';

const minuteMs = 60_000;
const system = inject('sharedSystem');
let rest: Rest & { close(): void };
let whois: WhoisClient;
let signer: PrivateKey;
let stranger: PrivateKey;
let certified: CertificateWithKey;

const person = (handle: string, maintainer: string) => `person:         Synchronised Person
address:        Example Street 3
phone:          +31 20 555 0133
e-mail:         person@example.net
nic-hdl:        ${handle}
mnt-by:         ${maintainer}
source:         TEST
`;
const maintainer = (name: string, auth: string) => `mntner:         ${name}
admin-c:        AE1-TEST
upd-to:         noc@example.net
auth:           ${auth}
mnt-by:         ${name}
mnt-by:         EXAMPLE-MNT
source:         TEST
`;

async function newKey(name: string, subkeys?: { sign: boolean }[]): Promise<PrivateKey> {
  const date = new Date(Date.now() - 86_400_000);
  const userIDs = [{ name, email: `${name}@example.net` }];
  return (await generateKey({ userIDs, date, format: 'object', ...(subkeys && { subkeys }) })).privateKey;
}

async function pgpSigned(text: string, key = signer, ageMs = 0): Promise<string> {
  const message = await createCleartextMessage({ text });
  return sign({ message, signingKeys: key, date: new Date(Date.now() - ageMs) });
}

beforeAll(async () => {
  rest = restClient(system);
  whois = whoisClient(rest, system.credential);
  [signer, stranger, certified] = [
    await newKey('signer'),
    await newKey('stranger'),
    await selfSignedClient('certified'),
  ];
  const pgpName = `PGPKEY-${signer.getKeyID().toHex().slice(-8).toUpperCase()}`;
  const pgp = await whois.create('key-cert', keyCertText(pgpName, signer.toPublic().armor()));
  expect([pgp.status, pgp.text]).toEqual([200, expect.any(String)]);
  const x509 = values(objectOf(await whois.create('key-cert', keyCertText('AUTO-1', certified.cert))), 'key-cert');
  expect((await whois.create('mntner', maintainer('PGP-MNT', pgpName))).status).toBe(200);
  expect((await whois.create('mntner', maintainer('CMS-MNT', x509[0]!))).status).toBe(200);
});

afterAll(async () => {
  rest?.close();
});

const sync = (body: string, more: RequestOptions = {}) =>
  rest('/syncupdates/TEST', { method: 'POST', contentType: 'text/plain', body, ...more });
const exists = async (handle: string) => (await whois.lookup('person', handle)).status === 200;
const found = (handles: string[]) => Promise.all(handles.map(exists));

describe('with an API key', () => {
  const withKey = () => ({ credential: system.credential });
  const set = (name: string, contact: string) => `as-set:         AS64500:${name}
admin-c:        AE1-TEST
tech-c:         ${contact}
mnt-by:         EXAMPLE-MNT
source:         TEST
`;

  test('objects are created, in any order of references', async () => {
    const answer = await sync(`${set('AS-SYNC', 'SP1-TEST')}\n${person('SP1-TEST', 'EXAMPLE-MNT')}`, withKey());
    expect([answer.status, answer.headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')]);
    expect(answer.text).toMatch(/processed successfully: +2\n {2}Create: +2\n/);
    expect(await exists('SP1-TEST')).toBe(true);
  });

  test('then updated, unchanged, and deleted', async () => {
    const text = person('SP2-TEST', 'EXAMPLE-MNT');
    await sync(text, withKey());
    const changed = text.replace('Street 3', 'Street 4');
    expect((await sync(changed, withKey())).text).toContain('Modify SUCCEEDED: [person] SP2-TEST');
    expect((await sync(changed, withKey())).text).toContain('No operation: [person] SP2-TEST');
    const mistaken = await sync(`${text}delete: was changed meanwhile`, withKey());
    expect(mistaken.text).toContain("Object [person] SP2-TEST   Synchronised Person doesn't match version");
    expect((await sync(`${changed}dry-run:\ndelete: x`, withKey())).text).toContain('Delete SUCCEEDED');
    expect(await exists('SP2-TEST')).toBe(true);
    expect((await sync(`${changed}delete: no longer here`, withKey())).text).toContain('Delete SUCCEEDED');
    expect(await exists('SP2-TEST')).toBe(false);
  });

  test('failures are explained, and do not affect other objects', async () => {
    const refused = set('AS-REFUSED', 'NB9-TEST');
    const answer = await sync(`${refused}\n${person('SP3-TEST', 'EXAMPLE-MNT')}\nno object`, withKey());
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('Create FAILED: [as-set] AS64500:AS-REFUSED');
    expect(answer.text).toContain('***Error:   Unknown object referenced NB9-TEST');
    expect(answer.text).toContain('and were NOT PROCESSED:');
    expect(await exists('SP3-TEST')).toBe(true);
  });

  test('AUTO keys are valid in the whole text: a mntner and its person refer to each other', async () => {
    const pair = [
      maintainer('PAIR-MNT', 'SSO alice@example.net')
        .replace('AE1-TEST', 'AUTO-1QQ')
        .replace('mnt-by:         EXAMPLE-MNT\n', ''),
      person('AUTO-1QQ', 'PAIR-MNT'),
      set('AS-PAIR', 'AUTO-1QQ'),
    ];
    const answer = await sync(pair.join('\n'), withKey());
    expect(answer.text).toMatch(/processed successfully: +3\n {2}Create: +3\n/);
    const [contact] = values(objectOf(await whois.lookup('mntner', 'PAIR-MNT')), 'admin-c');
    expect(contact).toMatch(/^QQ\d+-TEST$/);
    expect(await exists(contact!)).toBe(true);
  });

  test('one wrong object does not affect others with its AUTO key', async () => {
    const wrong = set('AS-WRONG', 'AUTO-7').replace('AE1-TEST', 'NB9-TEST');
    const answer = await sync(
      [wrong, person('AUTO-7QQ', 'EXAMPLE-MNT'), set('AS-RIGHT', 'AUTO-7')].join('\n'),
      withKey(),
    );
    expect(answer.text).toMatch(/processed successfully: +2\n/);
    expect(answer.text).toMatch(/tech-c: +QQ\d+-TEST\n/);
    expect(answer.text).toContain('***Error:   Unknown object referenced NB9-TEST');
  });

  test('in a form', async () => {
    const body = new URLSearchParams({ DATA: person('SP4-TEST', 'EXAMPLE-MNT') }).toString();
    const contentType = 'application/x-www-form-urlencoded';
    expect((await sync(body, { ...withKey(), contentType })).status).toBe(200);
    expect(await exists('SP4-TEST')).toBe(true);
  });
});

test.each<[string, string, RequestOptions, number]>([
  ['without a credential', '', {}, 401],
  ['with a wrong key', '', { credential: 'YTpi' }, 401],
  ['over HTTP', '', { plain: true }, 426],
  ['with a password (W8)', 'password: hush-7261', {}, 400],
])('nothing is stored %s', async (_, line, options, status) => {
  const answer = await sync(`${person('SP5-TEST', 'EXAMPLE-MNT')}${line}`, options);
  expect([answer.status, answer.text]).toEqual([status, expect.not.stringContaining('hush-7261')]);
  expect(await exists('SP5-TEST')).toBe(false);
});

describe('signed by PGP (W9)', () => {
  test('objects are stored for the maintainer that names the key, once', async () => {
    const signed = await pgpSigned(`${person('PG1-TEST', 'PGP-MNT')}\n${person('PG2-TEST', 'PGP-MNT')}`);
    const answer = await sync(signed);
    expect([answer.status, answer.text]).toEqual([200, expect.stringMatching(/successfully: +2\n/)]);
    expect(await found(['PG1-TEST', 'PG2-TEST'])).toEqual([true, true]);
    const again = await sync(signed);
    expect([again.status, again.text]).toEqual([401, 'This signature was used before']);
  });

  test('by a subkey of the key that it names', async () => {
    const key = await newKey('subkey', [{ sign: true }]);
    const name = `PGPKEY-${key.getKeyID().toHex().slice(-8).toUpperCase()}`;
    expect((await whois.create('key-cert', keyCertText(name, key.toPublic().armor()))).status).toBe(200);
    expect((await whois.create('mntner', maintainer('SUBKEY-MNT', name))).status).toBe(200);
    const message = await createCleartextMessage({ text: person('PG7-TEST', 'SUBKEY-MNT') });
    const signed = await sign({ message, signingKeys: key, signingKeyIDs: [key.getSubkeys()[0]!.getKeyID()] });
    const answer = await sync(signed);
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('Create SUCCEEDED')]);
  });

  test('a dry run does not use up the signature', async () => {
    const trial = await pgpSigned(`dry-run:\n${person('PG8-TEST', 'PGP-MNT')}`);
    expect([(await sync(trial)).status, (await sync(trial)).status]).toEqual([200, 200]);
    expect(await exists('PG8-TEST')).toBe(false);
  });

  test('not with a parameter that the signature does not cover', async () => {
    const signed = await pgpSigned(person('PG8-TEST', 'PGP-MNT'));
    const trial = await rest('/syncupdates/TEST?dry-run', { method: 'POST', contentType: 'text/plain', body: signed });
    expect([trial.status, await exists('PG8-TEST')]).toEqual([400, false]);
    expect([(await sync(signed)).status, (await sync(signed)).status]).toEqual([200, 401]);
  });

  test('not for another maintainer', async () => {
    expect((await sync(await pgpSigned(person('PG3-TEST', 'EXAMPLE-MNT')))).status).toBe(401);
    expect(await exists('PG3-TEST')).toBe(false);
  });

  test.each<[string, () => Promise<string>]>([
    ['changed after signing', async () => (await pgpSigned(person('PG4-TEST', 'PGP-MNT'))).replace('Street', 'Road')],
    ['signed by a stranger', () => pgpSigned(person('PG4-TEST', 'PGP-MNT'), stranger)],
    ['signed more than an hour ago', () => pgpSigned(person('PG4-TEST', 'PGP-MNT'), signer, 61 * minuteMs)],
    ['signed ahead of time', () => pgpSigned(person('PG4-TEST', 'PGP-MNT'), signer, -6 * minuteMs)],
  ])('not when %s: 401', async (_, signed) => {
    expect((await sync(await signed())).status).toBe(401);
    expect(await exists('PG4-TEST')).toBe(false);
  });

  test('unsigned objects beside a signed block do not get its credential', async () => {
    const body = `${await pgpSigned(person('PG5-TEST', 'PGP-MNT'))}\n${person('PG6-TEST', 'PGP-MNT')}`;
    const answer = await sync(body);
    expect([answer.status, answer.text]).toEqual([401, expect.stringContaining('Create FAILED: [person] PG6-TEST')]);
    expect(await found(['PG5-TEST', 'PG6-TEST'])).toEqual([true, false]);
  });

  test('two blocks, and unsigned objects with an API key, are each judged by their own credential', async () => {
    const body = [
      await pgpSigned(person('PA1-TEST', 'PGP-MNT')),
      await pgpSigned(person('PA2-TEST', 'PGP-MNT')),
      person('PA3-TEST', 'EXAMPLE-MNT'),
      person('PA4-TEST', 'PGP-MNT'),
    ].join('\n');
    expect((await sync(body, { credential: system.credential })).status).toBe(401);
    expect(await found(['PA1-TEST', 'PA2-TEST', 'PA3-TEST', 'PA4-TEST'])).toEqual([true, true, true, false]);
    expect((await sync(body, { credential: system.credential })).text).toBe('This signature was used before');
  });
});

describe('signed by CMS (W9)', () => {
  test('objects are stored for the maintainer that names the certificate, once', async () => {
    const signed = await cmsSigned(person('CM1-TEST', 'CMS-MNT'), certified);
    const answer = await sync(signed);
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('Create SUCCEEDED')]);
    expect((await sync(signed)).status).toBe(401);
  });

  test('also as binary', async () => {
    const der = Buffer.from(
      (await cmsSigned(person('CM2-TEST', 'CMS-MNT'), certified)).replace(/-----.*-----|\s/g, ''),
      'base64',
    );
    const carried = { method: 'POST', contentType: 'application/pkcs7-mime', body: der };
    expect((await rest('/syncupdates/TEST', carried)).status).toBe(200);
    expect(await exists('CM2-TEST')).toBe(true);
  });

  test('not with another certificate, nor an old signature: 401', async () => {
    const text = person('CM3-TEST', 'CMS-MNT');
    expect((await sync(await cmsSigned(text, await selfSignedClient('other')))).status).toBe(401);
    expect((await sync(await cmsSigned(text, certified, new Date(Date.now() - 61 * minuteMs)))).status).toBe(401);
    expect(await exists('CM3-TEST')).toBe(false);
  });
});
