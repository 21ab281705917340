import { createHash } from 'node:crypto';
import { SignatureForm, SignatureOutcome } from '@cadastre/proto/auth';
import forge from 'node-forge';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AuthSystem, sentences, startAuth } from './auth-system.js';
import { makeCertificate, signCms, signWithOpenssl, toPem } from './certificates.js';

const now = new Date('2026-11-21T12:00:30Z');
const object = 'person: Example Person\nsource: TEST\n';
const signer = makeCertificate('2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z');
const fingerprint = createHash('sha256').update(signer.der).digest('hex');

let auth: AuthSystem;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());
beforeEach(() => auth.clock.set(now));

const verify = (signedText: Buffer) =>
  auth.signatures.verifySignedText({ signedText, candidatePgpKeys: [], checkOnly: false });

async function expectRejected(signedText: Buffer, ...reasons: string[]) {
  const { outcome, text, keyFingerprints, messages } = await verify(signedText);
  expect(outcome).toBe(SignatureOutcome.SIGNATURE_OUTCOME_REJECTED);
  expect([text.length, keyFingerprints]).toEqual([0, []]);
  expect(sentences(messages)).toEqual(reasons);
}

test.each<[string, (der: Buffer) => Buffer]>([
  ['DER', (der) => der],
  ['PEM', (der) => toPem(der, 'CMS')],
  ['the older PEM', (der) => toPem(der, 'PKCS7')],
])('in %s form, a signed text tells its text, its signer and its time', async (form, armour) => {
  const signed = armour(signCms(object + form, signer, now));
  const answer = await verify(signed);
  expect(answer.outcome).toBe(SignatureOutcome.SIGNATURE_OUTCOME_VERIFIED);
  expect(Buffer.from(answer.text).toString()).toBe(object + form);
  expect(answer.keyFingerprints).toEqual([fingerprint]);
  expect(answer.signed).toEqual(now);
  expect(await auth.signatures.listSigners({ signedText: signed })).toEqual({
    form: SignatureForm.SIGNATURE_FORM_CMS,
    pgpKeyIds: [],
    keyCertNames: [],
  });
});

test.each(['PEM', 'DER', 'SMIME'] as const)('an elliptic-curve signature by openssl holds (%s)', async (form) => {
  const { signed, fingerprint: expected } = signWithOpenssl(object, form);
  auth.clock.set(new Date());
  const answer = await verify(signed);
  expect(sentences(answer.messages)).toEqual([]);
  expect(answer.keyFingerprints).toEqual([expected]);
  expect(Buffer.from(answer.text).toString()).toBe(object);
});

test.each([
  ['2026-11-21T11:00:30Z', undefined],
  ['2026-11-21T11:00:29Z', 'Message was signed more than one hour ago'],
  ['2026-11-21T12:05:30Z', undefined],
  ['2026-11-21T12:05:31Z', 'Message was signed more than five minutes in the future'],
])('signed at %s is judged by the clock', async (time, reason) => {
  const signed = signCms(time, signer, new Date(time));
  if (reason) await expectRejected(signed, reason);
  else expect((await verify(signed)).outcome).toBe(SignatureOutcome.SIGNATURE_OUTCOME_VERIFIED);
});

test('a signature is accepted once, whatever its armour', async () => {
  const signed = signCms('once', signer, now);
  await verify(signed);
  auth.clock.advance(60_000);
  await expectRejected(signed, 'This signature was used before');
  await expectRejected(toPem(signed, 'PKCS7'), 'This signature was used before');
});

describe('rejected is', () => {
  const invalid = 'The signature is not valid';

  test.each([
    ['an expired', makeCertificate('2026-11-01T00:00:00Z', '2026-11-21T12:00:29Z', signer.key), 'has expired'],
    ['a future', makeCertificate('2026-11-21T12:00:31Z', '2026-12-01T00:00:00Z', signer.key), 'is not yet valid'],
  ])('%s certificate', async (_, other, reason) => {
    const name = createHash('sha256').update(other.der).digest('hex');
    await expectRejected(signCms(object, other, now), `Certificate in keycert ${name} ${reason}`);
  });

  test('a text that was changed', async () => {
    const signed = signCms(object, signer, now).toString('latin1').replace('Example', 'Another');
    await expectRejected(Buffer.from(signed, 'latin1'), invalid);
  });

  test("another's certificate in place of the signer's", async () => {
    const thief = makeCertificate('2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z');
    await expectRejected(signCms(object, { ...thief, certificate: signer.certificate }, now), invalid);
  });

  test('a signature that does not tell its time', async () => {
    await expectRejected(signCms(object, signer, undefined), 'The signature has no signing time');
  });

  test('a signature with SHA-1', async () => {
    const sha1 = forge.pki.oids.sha1!;
    await expectRejected(signCms(object, signer, now, sha1), `Signatures with the algorithm ${sha1} are not accepted`);
  });

  test.each([
    ['half a signature', signCms(object, signer, now).subarray(0, 500)],
    ['a certificate alone', signer.der],
    ['what only looks like one', Buffer.from([0x30, 0x82, 0xff, 0xff])],
    ['an empty armour', Buffer.from('-----BEGIN CMS-----\n-----END CMS-----\n')],
  ])('%s', async (_, signed) => {
    await expectRejected(signed, invalid);
  });
});
