import { type RpslObject, samples } from '@cadastre/rpsl';
import { generateKey, readKey, revokeKey, type SecretKeyPacket } from 'openpgp';
import { afterAll, describe, expect, test } from 'vitest';
import { pem } from '../../../tests/example-certificate.js';
import { objectOf } from '../../../tests/write-object.js';
import { createCertificateReader, readKeyFingerprint } from './read-certificate.js';

const now = new Date('2027-01-01T00:00:00Z');
// On a busy machine the start of a thread may take seconds.
const certificates = createCertificateReader(60_000);
afterAll(() => certificates.close());

/** A key-cert with one `certif` attribute per line. */
function keyCert(material: string): RpslObject {
  const lines = material.trimEnd().split(/\r?\n/);
  return objectOf(`key-cert: X509-1\n${lines.map((line) => `certif: ${line}\n`).join('')}`);
}

async function complaint(object: RpslObject): Promise<string | undefined> {
  const reading = await certificates.read(object, now);
  return reading.ok ? undefined : reading.messages[0]!.text;
}

describe('G-KEYCERT-GEN', () => {
  test('X.509: subject with slashes, MD5 of the DER form', async () => {
    expect(await certificates.read(keyCert(pem), now)).toMatchObject({
      ok: true,
      facts: {
        method: 'X509',
        owners: ['/C=NL/O=Example, Networks/CN=noc.example.net/EMAILADDRESS=noc@example.net'],
        fingerprint: '43:8A:BD:F3:1A:7D:9A:B5:48:0C:39:63:FD:03:DC:97',
      },
    });
  });

  test('X.509: fingerprint of the holder, quality, expiry', async () => {
    const good = {
      keyFingerprint: '5b9fca100bdf6d2c289404ba0b5f21413c7c2fbc92307ceabaadc76501abd32e',
      algorithm: 'ECDSA',
      signatureAlgorithm: 'ecdsa-with-SHA256',
      expired: false,
      revoked: false,
    };
    expect(await certificates.read(keyCert(pem), now)).toMatchObject({ facts: good });
    const late = new Date('2036-11-18T10:35:30Z');
    expect(await certificates.read(keyCert(pem), late)).toMatchObject({ facts: { expired: true } });
    expect(readKeyFingerprint(keyCert(pem))).toBe(good.keyFingerprint);
  });

  test('PGP: fingerprint of the holder, key ID', async () => {
    const object = objectOf(samples['key-cert']);
    const keyFingerprint = 'ea446ddc2d25aa426e6642e864045ed648c3fc51';
    expect(await certificates.read(object, now)).toMatchObject({
      facts: { keyFingerprint, keyId: '48C3FC51', expired: false, revoked: false },
    });
    expect(readKeyFingerprint(object)).toBe(keyFingerprint);
  });

  test('PGP: expired, revoked, short', async () => {
    const identity = { userIDs: [{ name: 'Alice' }], format: 'armored' as const };
    const date = new Date('2026-01-01T00:00:00Z');
    const brief = await generateKey({ ...identity, date, keyExpirationTime: 86_400 });
    const facts = async (armored: string) => {
      const reading = await certificates.read(keyCert(armored), now);
      return reading.ok ? reading.facts : undefined;
    };
    expect(await facts(brief.publicKey)).toMatchObject({ expired: true, revoked: false });
    const revoked = await revokeKey({
      key: await readKey({ armoredKey: brief.publicKey }),
      revocationCertificate: brief.revocationCertificate,
      date,
    });
    expect(await facts(revoked.publicKey)).toMatchObject({ revoked: true });
    const short = await generateKey({ ...identity, type: 'rsa', rsaBits: 1024, config: { minRSABits: 1024 } });
    expect(await facts(short.publicKey)).toMatchObject({ algorithm: 'RSA', bits: 1024 });
  });

  test('other text has no fingerprint', async () => {
    expect(readKeyFingerprint(keyCert('certif'))).toBeUndefined();
    expect(readKeyFingerprint(keyCert(`${pem}\n${pem}`))).toBeUndefined();
  });

  test('material in continuation lines', async () => {
    const [first, ...rest] = pem.split('\n');
    const object = objectOf(`key-cert: X509-1\ncertif: ${first}\n${rest.map((line) => `+ ${line}\n`).join('')}`);
    expect(await certificates.read(object, now)).toMatchObject({ ok: true });
  });

  test('PGP: the name, the fingerprint in groups of four', async () => {
    expect(await certificates.read(objectOf(samples['key-cert']), now)).toMatchObject({
      ok: true,
      facts: {
        method: 'PGP',
        owners: ['Alice Example <alice@example.net>'],
        fingerprint: 'EA44 6DDC 2D25 AA42 6E66  42E8 6404 5ED6 48C3 FC51',
      },
    });
  });

  test('PGP: every name that is not revoked', async () => {
    const { privateKey } = await generateKey({
      userIDs: [
        { name: 'Alice', email: 'alice@example.net' },
        { name: 'Old Name', email: 'old@example.net' },
      ],
      format: 'object',
    });
    const [alice, old] = privateKey.users;
    const revoked = await old!.revoke(privateKey.keyPacket as SecretKeyPacket);
    privateKey.users = [alice!, revoked];
    const armored = (await readKey({ armoredKey: privateKey.toPublic().armor() })).armor();
    const reading = await certificates.read(keyCert(armored), now);
    expect(reading).toMatchObject({ ok: true, facts: { owners: ['Alice <alice@example.net>'] } });
  });

  test.each([
    ['nothing that looks like a key', 'certif', 'The supplied object has no key'],
    [
      'an empty PGP block',
      '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n-----END PGP PUBLIC KEY BLOCK-----',
      'The supplied object has no key',
    ],
    [
      'a certificate without its last line',
      pem.replace('-----END CERTIFICATE-----', ''),
      'The supplied object has no key',
    ],
    ['two certificates', `${pem}\n${pem}`, 'The supplied object has multiple keys'],
    [
      'an invalid certificate',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      'Invalid X509 Certificate',
    ],
  ])('%s', async (_what, material, text) => {
    expect(await complaint(keyCert(material))).toBe(text);
  });
});
