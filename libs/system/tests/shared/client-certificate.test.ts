import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { CertificateWithKey } from '../../../../services/gateway/src/server/self-signed.js';
import { selfSignedClient } from '../../../../services/gateway/tests/client-identity.fixture.js';
import { keyCertText } from '../harness/client-identity.js';
import { type RequestOptions, type Rest, restClient } from '../harness/rest.js';
import { messagesOf, objectOf, values, type WhoisClient, whoisClient } from '../harness/whois.js';

const dayMs = 86_400_000;
const system = inject('sharedSystem');
let rest: Rest & { close(): void };
let whois: WhoisClient;
let keyCert: string | undefined;
let named: CertificateWithKey;
let other: CertificateWithKey;

const person = (handle: string) => `person:         Certified Person
address:        Example Street 3
phone:          +31 20 555 0133
e-mail:         person@example.net
nic-hdl:        ${handle}
mnt-by:         CERT-MNT
source:         TEST
`;

beforeAll(async () => {
  rest = restClient(system);
  whois = whoisClient(rest, system.credential);
  named = await selfSignedClient('named');
  other = await selfSignedClient('other');
  const made = await whois.create('key-cert', keyCertText('AUTO-1', named.cert));
  [keyCert] = values(objectOf(made), 'key-cert');
  const maintainer = `mntner:         CERT-MNT
admin-c:        AE1-TEST
upd-to:         noc@example.net
auth:           ${keyCert}
mnt-by:         CERT-MNT
mnt-by:         EXAMPLE-MNT
source:         TEST
`;
  expect((await whois.create('mntner', maintainer)).status).toBe(200);
});

afterAll(async () => {
  rest?.close();
});

const write = (handle: string, client: RequestOptions['client']) =>
  whois.create('person', person(handle), '', { credential: undefined, ...(client ? { client } : {}) });

describe('a client certificate', () => {
  test('of a key-cert that a maintainer names may write, though self-signed', async () => {
    expect((await write('CP1-TEST', named)).status).toBe(200);
    expect((await whois.lookup('person', 'CP1-TEST')).status).toBe(200);
  });

  test('shows the auth attributes of that maintainer', async () => {
    const shown = await whois.lookup('mntner', 'CERT-MNT', '?unfiltered', { client: named });
    expect(values(objectOf(shown), 'auth')).toEqual([keyCert]);
    const hidden = await whois.lookup('mntner', 'CERT-MNT', '?unfiltered', { client: other });
    expect([hidden.status, values(objectOf(hidden), 'auth')]).toEqual([200, []]);
  });

  test('of somebody else may not write: 401', async () => {
    expect((await write('CP2-TEST', other)).status).toBe(401);
    expect((await write('CP2-TEST', undefined)).status).toBe(401);
  });

  test('that is sent but not proven is ignored: only the leaf counts (W10)', async () => {
    const chain = { cert: `${other.cert}${named.cert}`, key: other.key };
    expect((await write('CP2-TEST', chain)).status).toBe(401);
  });

  test.each<[string, number, number, string]>([
    ['has expired', -2 * dayMs, -dayMs, 'has expired'],
    ['is not yet valid', dayMs, 2 * dayMs, 'is not yet valid'],
  ])('that %s is refused, reads included', async (_, from, until, said) => {
    const client = await selfSignedClient('wrong time', from, until);
    const answers = [await write('CP3-TEST', client), await whois.lookup('mntner', 'CERT-MNT', '', { client })];
    for (const answer of answers) {
      expect([answer.status, messagesOf(answer).join()]).toEqual([401, expect.stringContaining(said)]);
    }
  });

  test('in a header Client-Cert is ignored unless a trusted proxy sends it', async () => {
    const der = named.cert.replace(/-----.*-----|\s/g, '');
    const headers = { 'client-cert': `:${der}:` };
    const answer = await whois.create('person', person('CP4-TEST'), '', { credential: undefined, headers });
    expect(answer.status).toBe(401);
  });
});

test('the connection banner shows the address', () => {
  expect(system.said).toContain(`${system.certHttps}/`);
});
