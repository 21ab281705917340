import type { Message } from '@cadastre/proto/registry';
import { createMessage, enums, type Key, readKeys, readSignature, verify } from 'openpgp';
import { messages } from '../domain/messages.js';
import { signingTimeProblem } from '../domain/signing-time.js';
import type { PgpLayer } from './pgp-layers.js';
import { hashOfSigned, type SignatureCheck } from './verified.js';

const brokenHashes = new Set<number | null>([enums.hash.md5, enums.hash.sha1, enums.hash.ripemd]);

/** Reads armoured public keys; what is unreadable is left out, for it cannot have signed anything. */
export async function readCandidates(armoured: string[]): Promise<Key[]> {
  const read = await Promise.all(armoured.map((armoredKeys) => readKeys({ armoredKeys }).catch(() => [])));
  return read.flat();
}

/** Checks one signature with the candidates that have the key it names. */
export async function checkPgpSignature(layer: PgpLayer, candidates: Key[], now: Date): Promise<SignatureCheck> {
  const { issuerKeyID, created, hashAlgorithm } = layer.signature;
  if (!created) return { problem: messages.noSigningTime() };
  const timeProblem = signingTimeProblem(created, now);
  if (timeProblem) return { problem: timeProblem };
  if (brokenHashes.has(hashAlgorithm)) {
    return { problem: messages.weakSignature(enums.read(enums.hash, hashAlgorithm!).toUpperCase()) };
  }
  const signers = candidates.filter((key) => key.getKeys(issuerKeyID).length > 0);
  let problem = messages.unknownSigner(issuerKeyID.toHex());
  for (const key of signers) {
    const refusal = await refusalOf(layer, key, created > now ? created : now);
    if (!refusal) return { verified: verifiedBy(key, layer, created) };
    problem = refusal;
  }
  return { problem };
}

/** Why a key does not vouch for a signature: it is revoked or has expired, or did not make it. */
async function refusalOf(layer: PgpLayer, key: Key, date: Date): Promise<Message | undefined> {
  if (await key.isRevoked(undefined, undefined, date)) return messages.publicKeyRevoked(keyCertName(key));
  const expires = await key.getExpirationTime();
  if (expires !== null && expires <= date) return messages.publicKeyExpired(keyCertName(key));
  const message = await createMessage({ binary: layer.content });
  const signature = await readSignature({ armoredSignature: layer.armour });
  const { signatures } = await verify({ message, signature, verificationKeys: key, date, format: 'binary' });
  const holds = signatures.length === 1 && (await signatures[0]!.verified.catch(() => false));
  return holds ? undefined : messages.badSignature();
}

function verifiedBy(key: Key, { signature, content }: PgpLayer, signed: Date) {
  const fingerprint = key.getFingerprint();
  return { fingerprint, signed, hash: hashOfSigned(fingerprint, signature.signatureData!, content) };
}

/** "PGPKEY-" and the last 8 digits of the fingerprint. */
function keyCertName(key: Key): string {
  return keyCertNameOf(key.getFingerprint());
}

/** Name of the key-cert object of a key, from its fingerprint or identifier. */
export function keyCertNameOf(hex: string): string {
  return `PGPKEY-${hex.slice(-8).toUpperCase()}`;
}
