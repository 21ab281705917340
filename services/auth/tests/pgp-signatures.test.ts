import { SignatureForm, SignatureOutcome } from '@cadastre/proto/auth';
import {
  armor,
  createCleartextMessage,
  createMessage,
  enums,
  generateKey,
  config as openpgpConfig,
  PacketList,
  type PrivateKey,
  reformatKey,
  revokeKey,
  SignaturePacket,
  sign,
} from 'openpgp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AuthSystem, refusal, sentences, startAuth } from './auth-system.js';

const now = '2026-11-21T12:00:30Z';
const made = new Date('2026-11-01T00:00:00Z');
const object = 'person: Example Person\nsource: TEST\n\n- a line with a dash   \nlast line';
const canonical = 'person: Example Person\r\nsource: TEST\r\n\r\n- a line with a dash\r\nlast line';

let auth: AuthSystem;
let alice: PrivateKey;
let bob: PrivateKey;
beforeAll(async () => {
  auth = await startAuth();
  alice = await newKey('alice');
  bob = await newKey('bob');
});
afterAll(() => auth.stop());
beforeEach(() => auth.clock.set(now));

async function newKey(name: string, more: object = {}): Promise<PrivateKey> {
  const { privateKey } = await generateKey({
    userIDs: [{ name, email: `${name}@example.net` }],
    date: made,
    format: 'object',
    ...more,
  });
  return privateKey;
}

async function clearSign(text: string, key: PrivateKey, date: Date | string = now, config = {}): Promise<string> {
  const message = await createCleartextMessage({ text });
  return sign({ message, signingKeys: key, date: new Date(date), config });
}

const verify = (signed: string | Buffer, ...keys: { toPublic(): { armor(): string } }[]) =>
  auth.signatures.verifySignedText({
    signedText: Buffer.from(signed as string),
    candidatePgpKeys: keys.map((key) => key.toPublic().armor()),
    checkOnly: false,
  });

async function expectRejected(answer: ReturnType<typeof verify>, ...reasons: string[]) {
  const { outcome, text, keyFingerprints, messages } = await answer;
  expect(outcome).toBe(SignatureOutcome.SIGNATURE_OUTCOME_REJECTED);
  expect([text.length, keyFingerprints]).toEqual([0, []]);
  expect(sentences(messages)).toEqual(reasons);
}

describe('a clear-signed text', () => {
  test('results in its text, its signer and its time', async () => {
    const { outcome, text, keyFingerprints, signed, messages } = await verify(
      await clearSign(object, alice),
      bob,
      alice,
    );
    expect(outcome).toBe(SignatureOutcome.SIGNATURE_OUTCOME_VERIFIED);
    expect(Buffer.from(text).toString()).toBe(canonical);
    expect(keyFingerprints).toEqual([alice.getFingerprint()]);
    expect(signed).toEqual(new Date(now));
    expect(messages).toEqual([]);
  });

  test('signed by a subkey counts for the primary key', async () => {
    const key = await newKey('carol', { subkeys: [{ sign: true }] });
    const signed = await clearSign(object, key);
    const { pgpKeyIds } = await auth.signatures.listSigners({ signedText: Buffer.from(signed) });
    expect(pgpKeyIds).toEqual([key.getSubkeys()[0]!.getKeyID().toHex()]);
    expect((await verify(signed, key)).keyFingerprints).toEqual([key.getFingerprint()]);
  });

  test('signed by an RSA key holds', async () => {
    const key = await newKey('dora', { type: 'rsa', rsaBits: 2048 });
    expect((await verify(await clearSign(object, key), key)).keyFingerprints).toEqual([key.getFingerprint()]);
  });

  test('in latin-1 keeps its octets', async () => {
    const octets = Buffer.from('person: J\xf6rg\r\nsource: TEST', 'latin1');
    const signature = await sign({
      message: await createMessage({ binary: octets }),
      signingKeys: alice,
      detached: true,
      date: new Date(now),
    });
    const head = '-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n';
    const signed = Buffer.concat([Buffer.from(head), octets, Buffer.from(`\n${signature}`)]);
    expect(Buffer.from((await verify(signed, alice)).text)).toEqual(octets);
  });

  test('signed twice results in both signers, outermost first, and the earlier time', async () => {
    const inner = await clearSign(object, alice, '2026-11-21T11:30:00Z');
    const { keyFingerprints, text, signed } = await verify(await clearSign(inner, bob), alice, bob);
    expect(keyFingerprints).toEqual([bob.getFingerprint(), alice.getFingerprint()]);
    expect(Buffer.from(text).toString()).toBe(canonical);
    expect(signed).toEqual(new Date('2026-11-21T11:30:00Z'));
  });

  test('does not hold when one of two signatures does not', async () => {
    const inner = await clearSign(object, alice, '2026-11-21T10:30:00Z');
    await expectRejected(verify(await clearSign(inner, bob), alice, bob), 'Message was signed more than one hour ago');
  });
});

describe('the time of a signature', () => {
  test.each([
    ['2026-11-21T11:00:30Z', undefined],
    ['2026-11-21T11:00:29Z', 'Message was signed more than one hour ago'],
    ['2026-11-21T12:05:30Z', undefined],
    ['2026-11-21T12:05:31Z', 'Message was signed more than five minutes in the future'],
  ])('%s is judged by the clock', async (time, reason) => {
    const answer = verify(await clearSign(`${object}\n${time}`, alice, time), alice);
    if (reason) await expectRejected(answer, reason);
    else expect((await answer).outcome).toBe(SignatureOutcome.SIGNATURE_OUTCOME_VERIFIED);
  });
});

describe('a signature is accepted once', () => {
  const used = 'This signature was used before';

  test('also in another armour', async () => {
    const signed = await clearSign('once', alice);
    await verify(signed, alice);
    auth.clock.advance(60_000);
    await expectRejected(verify(signed, alice), used);
    await expectRejected(verify(`\n${signed.replaceAll('\n', '\r\n')}\n`, alice), used);
  });

  test('also when it comes out of another one', async () => {
    const inner = await clearSign('inner', alice);
    await verify(await clearSign(inner, bob), alice, bob);
    await expectRejected(verify(inner, alice), used);
  });

  test('also when it arrives many times concurrently', async () => {
    const signed = await clearSign('at once', alice);
    const answers = await Promise.all(Array.from({ length: 8 }, () => verify(signed, alice)));
    const accepted = answers.filter(({ outcome }) => outcome === SignatureOutcome.SIGNATURE_OUTCOME_VERIFIED);
    expect(accepted).toHaveLength(1);
  });

  test('and a refused one is not used up', async () => {
    const signed = await clearSign('refused first', alice);
    await expectRejected(verify(signed, bob), `Unknown signing key "${alice.getKeyID().toHex()}"`);
    expect((await verify(signed, alice)).outcome).toBe(SignatureOutcome.SIGNATURE_OUTCOME_VERIFIED);
  });

  test('while the same text may be signed again', async () => {
    await verify(await clearSign('again', alice), alice);
    auth.clock.advance(1000);
    const again = await clearSign('again', alice, auth.clock.now());
    expect((await verify(again, alice)).outcome).toBe(SignatureOutcome.SIGNATURE_OUTCOME_VERIFIED);
  });
});

describe('a key', () => {
  const nameOf = (key: PrivateKey) => `PGPKEY-${key.getFingerprint().slice(-8).toUpperCase()}`;

  test('that has expired does not count', async () => {
    const key = await newKey('eve', { keyExpirationTime: 86_400 * 30 });
    const signed = await clearSign(object, key, '2026-11-30T23:59:00Z');
    auth.clock.set('2026-12-01T00:00:30Z');
    await expectRejected(verify(signed, key), `Public key in keycert ${nameOf(key)} has expired`);
  });

  test('that is revoked does not count', async () => {
    const key = await newKey('frank');
    const signed = await clearSign(object, key);
    const { publicKey } = await revokeKey({ key, format: 'object', date: made });
    const revoked = { toPublic: () => publicKey };
    await expectRejected(verify(signed, revoked), `Public key in keycert ${nameOf(key)} is revoked`);
  });

  test('that is unreadable does no harm', async () => {
    const signedText = Buffer.from(await clearSign('unreadable', alice));
    const candidatePgpKeys = ['', 'no key', alice.toPublic().armor().slice(0, 200), alice.toPublic().armor()];
    const { outcome } = await auth.signatures.verifySignedText({ signedText, candidatePgpKeys, checkOnly: false });
    expect(outcome).toBe(SignatureOutcome.SIGNATURE_OUTCOME_VERIFIED);
  });
});

describe('rejected is', () => {
  const wholly = 'One signed block must contain the whole text';
  const invalid = 'The signature is not valid';

  test('a text that was changed', async () => {
    const signed = await clearSign(object, alice);
    await expectRejected(verify(signed.replace('Example', 'Another'), alice), invalid);
  });

  test('a signature over nothing (of the standalone type) in place of one over the text', async () => {
    const packet = Object.assign(new SignaturePacket(), {
      signatureType: enums.signature.standalone,
      hashAlgorithm: enums.hash.sha512,
      publicKeyAlgorithm: alice.keyPacket.algorithm,
    });
    // The types of the library omit the last parameter.
    const signPacket = packet.sign.bind(packet) as (...parameters: unknown[]) => Promise<void>;
    await signPacket(alice.keyPacket, new Uint8Array(), new Date(now), true, openpgpConfig);
    const packets = new PacketList<SignaturePacket>();
    packets.push(packet);
    const forged = armor(enums.armor.signed, { text: object, hash: 'SHA512', data: packets.write() });
    await expectRejected(verify(forged, alice), invalid);
  });

  test('a signature with SHA-1', async () => {
    const config = { preferredHashAlgorithm: enums.hash.sha1, nonDeterministicSignaturesViaNotation: false };
    const { privateKey } = await reformatKey({
      privateKey: await newKey('grace', { type: 'rsa', rsaBits: 2048 }),
      userIDs: [{ name: 'grace' }],
      date: made,
      format: 'object',
      config,
    });
    const signed = await clearSign(object, privateKey, now, config);
    await expectRejected(verify(signed, privateKey), 'Signatures with the algorithm SHA1 are not accepted');
  });

  test.each<[string, (signed: string) => string]>([
    ['something before the block', (signed) => `mntner: EXAMPLE-MNT\n\n${signed}`],
    ['something behind the block', (signed) => `${signed}\nmntner: EXAMPLE-MNT\n`],
    ['two blocks', (signed) => `${signed}\n${signed}`],
    ['a block without end', (signed) => signed.slice(0, signed.indexOf('-----END'))],
    ['a block without signature', (signed) => `${signed.split('-----BEGIN PGP SIGNATURE')[0]}`],
    ['other armour headers', (signed) => signed.replace('Hash:', 'Comment:')],
  ])('%s', async (_, change) => {
    await expectRejected(verify(change(await clearSign(object, alice)), alice), wholly);
  });

  test('a text in more than five layers', async () => {
    let signed = object;
    for (let layer = 0; layer < 6; layer++) signed = await clearSign(signed, alice);
    await expectRejected(verify(signed, alice), wholly);
  });
});

test('the keys that claim to have signed are listed, outermost first, without being verified', async () => {
  const inner = await clearSign(object, alice);
  const signedText = Buffer.from((await clearSign(inner, bob)).replace('Example', 'Another'));
  expect(await auth.signatures.listSigners({ signedText })).toEqual({
    form: SignatureForm.SIGNATURE_FORM_PGP,
    pgpKeyIds: [bob, alice].map((key) => key.getKeyID().toHex()),
    keyCertNames: [bob, alice].map((key) => `PGPKEY-${key.getFingerprint().slice(-8).toUpperCase()}`),
  });
});

test('an unsigned text is reported as unsigned', async () => {
  expect((await verify(object)).outcome).toBe(SignatureOutcome.SIGNATURE_OUTCOME_UNSIGNED);
  const { form, pgpKeyIds } = await auth.signatures.listSigners({ signedText: Buffer.from(object) });
  expect([form, pgpKeyIds]).toEqual([SignatureForm.SIGNATURE_FORM_UNSPECIFIED, []]);
});

test('too much is refused', async () => {
  const tooLarge = ['invalid', 'A signed text may have at most 65536 octets and 4096 lines'];
  expect(await refusal(verify(Buffer.alloc(65_537, 'x')))).toEqual(tooLarge);
  expect(await refusal(verify(Buffer.alloc(4_096, '\n')))).toEqual(tooLarge);
  const candidatePgpKeys = Array.from({ length: 21 }, () => '');
  const call = auth.signatures.verifySignedText({ signedText: Buffer.from('x'), candidatePgpKeys, checkOnly: true });
  expect(await refusal(call)).toEqual(['invalid', 'A call may contain at most 20 keys']);
});

describe('signatures that were only checked', () => {
  const check = async (signed: string, ...keys: PrivateKey[]) => {
    const candidatePgpKeys = keys.map((key) => key.toPublic().armor());
    return auth.signatures.verifySignedText({ signedText: Buffer.from(signed), candidatePgpKeys, checkOnly: true });
  };
  const accept = async (signatureHashes: Buffer[]) => {
    const { outcome, messages } = await auth.signatures.acceptSignatures({ signatureHashes });
    return [SignatureOutcome[outcome]!.replace('SIGNATURE_OUTCOME_', ''), ...sentences(messages)];
  };
  const used = ['REJECTED', 'This signature was used before'];

  test('are used up by their hashes, once, and not verified again', async () => {
    const signed = await clearSign('accepted later', alice);
    const { signatureHashes } = await check(signed, alice);
    expect([await accept(signatureHashes), await accept(signatureHashes)]).toEqual([['VERIFIED'], used]);
    await expectRejected(verify(signed, alice), 'This signature was used before');
  });

  test('are used up all or none', async () => {
    const inner = await clearSign('inner of two', alice);
    const { signatureHashes } = await check(await clearSign(inner, bob), alice, bob);
    expect(signatureHashes).toHaveLength(2);
    expect(await accept([signatureHashes[1]!])).toEqual(['VERIFIED']);
    expect([await accept(signatureHashes), await accept([signatureHashes[0]!])]).toEqual([used, ['VERIFIED']]);
  });

  test('have no hashes when they do not hold', async () => {
    expect((await check(await clearSign('refused', alice), bob)).signatureHashes).toEqual([]);
  });

  test.each<[string, Buffer[]]>([
    ['none', []],
    ['more than a text may have', Array.from({ length: 6 }, () => Buffer.alloc(32))],
    ['what is no hash', [Buffer.alloc(31)]],
  ])('%s are refused', async (_, signatureHashes) => {
    expect(await refusal(accept(signatureHashes))).toEqual(['invalid', 'A call needs 1 to 5 signature hashes']);
  });
});

test('a check does not use a signature, and rejects a used one', async () => {
  const request = {
    signedText: Buffer.from(await clearSign('checked only', alice)),
    candidatePgpKeys: [alice.toPublic().armor()],
  };
  const outcome = async (checkOnly: boolean) =>
    (await auth.signatures.verifySignedText({ ...request, checkOnly })).outcome;
  const { SIGNATURE_OUTCOME_VERIFIED: verified, SIGNATURE_OUTCOME_REJECTED: rejected } = SignatureOutcome;
  expect([await outcome(true), await outcome(true), await outcome(false)]).toEqual([verified, verified, verified]);
  expect([await outcome(true), await outcome(false)]).toEqual([rejected, rejected]);
});
