import { type RpslObject, samples } from '@cadastre/rpsl';
import { generateKey, readKey, type SecretKeyPacket } from 'openpgp';
import { describe, expect, test } from 'vitest';
import { objectOf } from '../../../tests/write-object.js';
import { readCertificate } from './read-certificate.js';

const pem = `-----BEGIN CERTIFICATE-----
MIICGjCCAcGgAwIBAgIUcq1HW6T5aBovUMwIiWIKReI4WHowCgYIKoZIzj0EAwIw
YzELMAkGA1UEBhMCTkwxGjAYBgNVBAoMEUV4YW1wbGUsIE5ldHdvcmtzMRgwFgYD
VQQDDA9ub2MuZXhhbXBsZS5uZXQxHjAcBgkqhkiG9w0BCQEWD25vY0BleGFtcGxl
Lm5ldDAeFw0yNjExMjExMDM1MzBaFw0zNjExMTgxMDM1MzBaMGMxCzAJBgNVBAYT
Ak5MMRowGAYDVQQKDBFFeGFtcGxlLCBOZXR3b3JrczEYMBYGA1UEAwwPbm9jLmV4
YW1wbGUubmV0MR4wHAYJKoZIhvcNAQkBFg9ub2NAZXhhbXBsZS5uZXQwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAARt2cS1vEgnGxD2xqScE7v8sPPVZGAI4V9qZVRL
i5HEJ93CTlL5LhYCYFZUexe2v19kJt1riorkBwLIstA3Pysgo1MwUTAdBgNVHQ4E
FgQUcF8LTMHmCo1nwpeHQfEbniBZstcwHwYDVR0jBBgwFoAUcF8LTMHmCo1nwpeH
QfEbniBZstcwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiAEn/9b
Gf3aXNOEeq4PQVl4yCU39suf4LRW/W2EoeEWMQIgO+ZaST31kuhH8hEP7gAOOgJI
xYiXuJ+X1lbs5rkJFMU=
-----END CERTIFICATE-----`;

const now = new Date('2027-01-01T00:00:00Z');

/** A key-cert with one `certif` attribute per line. */
function keyCert(material: string): RpslObject {
  const lines = material.trimEnd().split(/\r?\n/);
  return objectOf(`key-cert: X509-1\n${lines.map((line) => `certif: ${line}\n`).join('')}`);
}

async function complaint(object: RpslObject): Promise<string | undefined> {
  const reading = await readCertificate(object, now);
  return reading.ok ? undefined : reading.messages[0]!.text;
}

describe('G-KEYCERT-GEN', () => {
  test('X.509: subject with slashes, MD5 of the DER form', async () => {
    expect(await readCertificate(keyCert(pem), now)).toMatchObject({
      ok: true,
      facts: {
        method: 'X509',
        owners: ['/C=NL/O=Example, Networks/CN=noc.example.net/EMAILADDRESS=noc@example.net'],
        fingerprint: '43:8A:BD:F3:1A:7D:9A:B5:48:0C:39:63:FD:03:DC:97',
      },
    });
  });

  test('material in continuation lines', async () => {
    const [first, ...rest] = pem.split('\n');
    const object = objectOf(`key-cert: X509-1\ncertif: ${first}\n${rest.map((line) => `+ ${line}\n`).join('')}`);
    expect(await readCertificate(object, now)).toMatchObject({ ok: true });
  });

  test('PGP: the name, the fingerprint in groups of four', async () => {
    expect(await readCertificate(objectOf(samples['key-cert']), now)).toMatchObject({
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
    const reading = await readCertificate(keyCert(armored), now);
    expect(reading).toMatchObject({ ok: true, facts: { owners: ['Alice <alice@example.net>'] } });
  });

  test.each([
    ['nothing that looks like a key', 'certif', 'The supplied object has no key'],
    [
      'an empty PGP block',
      '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n-----END PGP PUBLIC KEY BLOCK-----',
      'The supplied object has no key',
    ],
    ['two certificates', `${pem}\n${pem}`, 'The supplied object has multiple keys'],
    [
      'a certificate that is none',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      'Invalid X509 Certificate',
    ],
  ])('%s', async (_what, material, text) => {
    expect(await complaint(keyCert(material))).toBe(text);
  });
});
