import { X509Certificate } from 'node:crypto';
import { hash64 } from '@cadastre/service/hash64';
import { testLogger } from '@cadastre/service/testing';
import {
  armor,
  enums,
  generateKey,
  config as openpgpConfig,
  type PrivateKey,
  SignaturePacket,
  type Subkey,
  type UserIDPacket,
} from 'openpgp';
import { beforeAll, describe, expect, test } from 'vitest';
import { migrateObjects } from '../src/migrate.js';
import { indexKeyCerts } from '../src/store/references.js';
import { pem } from './example-certificate.js';
import { loadText, put, readerOf, remove, useContext } from './test-context.js';

const setup = useContext();
const find = async (...pgpSubkeyIds: string[]) =>
  (await readerOf(setup.context).findKeyCerts({ source: 'TEST', pgpSubkeyIds, certificateFingerprints: [] })).names;
const findCertificate = async (...certificateFingerprints: string[]) =>
  (await readerOf(setup.context).findKeyCerts({ source: '', pgpSubkeyIds: [], certificateFingerprints })).names;

async function newKey(type: 'curve25519' | 'ecc' | 'rsa' = 'ecc', config = {}): Promise<PrivateKey> {
  const options = { userIDs: [{ name: 'a' }] as unknown as UserIDPacket[], subkeys: [{}, { sign: true }], config };
  return (await generateKey({ ...options, type, rsaBits: 2048, format: 'object' })).privateKey as PrivateKey;
}
type Named = Pick<PrivateKey, 'getFingerprint'>;
const nameOf = (key: Named) => `PGPKEY-${key.getFingerprint().slice(-8).toUpperCase()}`;
const objectOf = (key: Named & { toPublic(): { armor(): string } }, name = nameOf(key)) => {
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
    const [encrypting, signing] = subkeys(key);
    expect(await find(signing!)).toEqual([nameOf(key)]);
    expect(await find(signing!.toUpperCase(), '0000000000000000')).toEqual([nameOf(key)]);
    expect([await find(encrypting!), await find(key.getKeyID().toHex())]).toEqual([[], []]);
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

describe('a foreign subkey in a key is never found, however it is bound', () => {
  /** The octets of a key with another's second subkey behind its own parts. */
  const withSubkey = (thief: PrivateKey, { keyPacket, bindingSignatures }: Subkey, binding: SignaturePacket[]) => {
    const packets = thief.toPublic().toPacketList();
    packets.push(keyPacket as never, ...((binding.length > 0 ? binding : bindingSignatures) as never[]));
    return {
      getFingerprint: () => thief.getFingerprint(),
      toPublic: () => ({ armor: () => armor(enums.armor.publicKey, packets.write()) }),
    };
  };
  /** The thief's own signature over the subkey, with the owner's signature back that was made for the owner's key. */
  async function bind(thief: PrivateKey, subkey: Subkey, isEmbedded: boolean): Promise<SignaturePacket> {
    const binding = Object.assign(new SignaturePacket(), {
      signatureType: enums.signature.subkeyBinding,
      publicKeyAlgorithm: thief.keyPacket.algorithm,
      hashAlgorithm: enums.hash.sha512,
      keyFlags: new Uint8Array([enums.keyFlags.signData]),
      ...(isEmbedded && { embeddedSignature: subkey.bindingSignatures[0]!.embeddedSignature }),
    });
    const data = { key: thief.keyPacket, bind: subkey.keyPacket };
    const signPacket = binding.sign.bind(binding) as (...parameters: unknown[]) => Promise<void>;
    await signPacket(thief.keyPacket, data, new Date(), false, openpgpConfig);
    return binding;
  }

  test.each<[string, (thief: PrivateKey, subkey: Subkey) => Promise<SignaturePacket[]>]>([
    ["the owner's binding", async () => []],
    ['a binding without a signature back', async (thief, subkey) => [await bind(thief, subkey, false)]],
    ["a binding with the owner's signature back", async (thief, subkey) => [await bind(thief, subkey, true)]],
  ])('%s', async (_, bindings) => {
    const owner = await newKey();
    const subkey = owner.toPublic().getSubkeys()[1]!;
    const thief = await newKey();
    const copy = withSubkey(thief, subkey, await bindings(thief, subkey));
    for (let n = 0; n < 21; n++) await put(setup.context, objectOf(copy, `PGPKEY-000001${10 + n}`));
    setup.clock.advance(1000);
    await put(setup.context, objectOf(owner));
    expect(await find(...subkeys(owner))).toEqual([nameOf(owner)]);
    expect(await find(...subkeys(thief))).toHaveLength(20);
  });
});

describe('key-certs are found by their certificates', () => {
  const fingerprint = new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase();
  const lines = pem.trim().split('\n');
  const text = `key-cert: X509-7\n${lines.map((line) => `certif: ${line}\n`).join('')}mnt-by: ONE-MNT\nsource: TEST\n`;

  test('written, loaded in bulk, indexed again, deleted', async () => {
    expect(await findCertificate(fingerprint)).toEqual([]);
    await put(setup.context, text);
    expect(await findCertificate(fingerprint.toUpperCase(), '0'.repeat(64))).toEqual(['X509-7']);
    await setup.context.writePool.query("update object set refs = '{}' where key = 'x509-7'");
    expect(await findCertificate(fingerprint)).toEqual([]);
    await migrateObjects({ url: setup.url, logger: testLogger() });
    expect(await findCertificate(fingerprint)).toEqual(['X509-7']);
    await loadText(setup.context, `${text}remarks: loaded\n`);
    expect(await findCertificate(fingerprint)).toEqual(['X509-7']);
    await remove(setup.context, 'key-cert', 'x509-7');
    expect(await findCertificate(fingerprint)).toEqual([]);
  });

  test('other text than a fingerprint is refused', async () => {
    await expect(findCertificate('0'.repeat(63))).rejects.toMatchObject({ kind: 'invalid' });
  });
});

describe('index entries of an older version', () => {
  test('the migration corrects them, once', async () => {
    const [missed, encrypting] = [await newKey(), await newKey()];
    await put(setup.context, objectOf(missed));
    await put(setup.context, objectOf(encrypting));
    const foreign = hash64(`pgp-subkey:${subkeys(encrypting)[0]}`);
    const change = (name: string, sql: string) =>
      setup.context.writePool.query(`update object set refs = ${sql} where key = $1`, [name.toLowerCase()]);
    await change(nameOf(missed), "'{}'");
    await change(nameOf(encrypting), `refs || (${foreign})::bigint`);
    expect([await find(...subkeys(missed)), await find(subkeys(encrypting)[0]!)]).toEqual([[], [nameOf(encrypting)]]);
    const changed = () => indexKeyCerts(setup.context.writePool, setup.context.certificates.signingSubkeys);
    await migrateObjects({ url: setup.url, logger: testLogger() });
    expect([await find(...subkeys(missed)), await find(subkeys(encrypting)[0]!)]).toEqual([[nameOf(missed)], []]);
    expect(await find(...subkeys(encrypting))).toEqual([nameOf(encrypting)]);
    expect(await changed()).toBe(0);
  });
});

describe('material without a key does no harm', () => {
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
