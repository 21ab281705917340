import { generateKey, type PrivateKey, type UserIDPacket } from 'openpgp';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadText, put, readerOf, remove, useContext } from './test-context.js';

const setup = useContext();
const find = async (...pgpSubkeyIds: string[]) =>
  (await readerOf(setup.context).findKeyCerts({ source: 'TEST', pgpSubkeyIds })).names;

async function newKey(type: 'curve25519' | 'ecc' | 'rsa' = 'ecc', config = {}): Promise<PrivateKey> {
  const options = { userIDs: [{ name: 'a' }] as unknown as UserIDPacket[], subkeys: [{}, { sign: true }], config };
  return (await generateKey({ ...options, type, rsaBits: 2048, format: 'object' })).privateKey as PrivateKey;
}
const nameOf = (key: PrivateKey) => `PGPKEY-${key.getFingerprint().slice(-8).toUpperCase()}`;
const objectOf = (key: PrivateKey, name = nameOf(key)) => {
  const lines = key
    .toPublic()
    .armor()
    .trim()
    .split(/\r?\n/)
    .map((line) => `certif: ${line}`);
  return `key-cert: ${name}\n${lines.join('\n')}\nmnt-by: ONE-MNT\nsource: TEST\n`;
};
const subkeys = (key: PrivateKey) => key.getSubkeys().map((subkey) => subkey.getKeyID().toHex());

describe('key-certs are found by their subkeys', () => {
  test.each([
    ['RSA', () => newKey('rsa')],
    ['elliptic curves', () => newKey('ecc')],
    ['version 6', () => newKey('curve25519', { v6Keys: true, aeadProtect: true })],
  ] as const)('%s', async (_, make) => {
    const key = await make();
    await put(setup.context, objectOf(key));
    for (const id of subkeys(key)) expect(await find(id)).toEqual([nameOf(key)]);
    expect(await find(subkeys(key)[1]!.toUpperCase(), '0000000000000000')).toEqual([nameOf(key)]);
    expect(await find(key.getKeyID().toHex())).toEqual([]);
  });

  test('loaded in bulk, replaced, deleted', async () => {
    const [first, second] = [await newKey(), await newKey()];
    await loadText(setup.context, objectOf(first, 'PGPKEY-00000001'));
    expect(await find(...subkeys(first))).toEqual(['PGPKEY-00000001']);
    await put(setup.context, objectOf(second, 'PGPKEY-00000001'));
    expect([await find(...subkeys(first)), await find(...subkeys(second))]).toEqual([[], ['PGPKEY-00000001']]);
    await remove(setup.context, 'key-cert', 'pgpkey-00000001');
    expect(await find(...subkeys(second))).toEqual([]);
  });

  test('several with the same subkey, the oldest first', async () => {
    const key = await newKey();
    for (const name of ['PGPKEY-00000003', 'PGPKEY-00000002']) {
      await put(setup.context, objectOf(key, name));
      setup.clock.advance(1000);
    }
    expect(await find(...subkeys(key))).toEqual(['PGPKEY-00000003', 'PGPKEY-00000002']);
  });
});

describe('what is no key does no harm', () => {
  let armoured: string;
  beforeAll(async () => {
    armoured = objectOf(await newKey(), 'PGPKEY-0000000A');
  });

  test.each<[string, (text: string) => string]>([
    ['cut off', (text) => text.replace(/(certif: [^\n]*\n){4}mnt-by/, 'mnt-by')],
    ['garbled', (text) => text.replace(/certif: x/g, 'certif: 0')],
    ['empty', (text) => text.replace(/(certif: [^-\n]*\n)+/, '')],
  ])('%s', async (_, change) => {
    await put(setup.context, change(armoured));
    expect(await find('0123456789abcdef')).toEqual([]);
  });

  test.each([
    ['no identifiers', []],
    ['too many', Array.from({ length: 21 }, () => '0123456789abcdef')],
    ['what is none', ['0123']],
  ])('%s', async (_, ids) => {
    await expect(find(...ids)).rejects.toMatchObject({ kind: 'invalid' });
  });
});
