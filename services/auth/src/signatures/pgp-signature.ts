import type { Message } from '@cadastre/proto/registry';
import { createMessage, enums, type Key, readKeys, readSignature, type SignaturePacket, verify } from 'openpgp';
import { messages } from '../domain/messages.js';
import { hashOfSigned, keyCertNameOf, type SignatureCheck, signingTimeProblem } from '../domain/signatures.js';
import type { PgpLayer } from './signed-text.js';

const brokenHashes = new Set<number | null>([enums.hash.md5, enums.hash.sha1, enums.hash.ripemd]);

/** The part of a layer to check. */
type SignedLayer = Pick<PgpLayer, 'content' | 'signature'>;

/**
 * Checks the signature of each layer, up to the first invalid one, with the candidates (binary public keys) that have
 * the key ID it names. Call it on a worker thread, after `inspectPgpKey`.
 */
export async function checkPgpLayers(
  layers: readonly SignedLayer[],
  candidates: readonly Uint8Array[],
  now: Date,
): Promise<SignatureCheck[]> {
  const keys = await Promise.all(candidates.map((binaryKeys) => readKeys({ binaryKeys }).catch(() => [])));
  const checks: SignatureCheck[] = [];
  for (const layer of layers) {
    const check = await checkLayer(layer, keys.flat(), now);
    checks.push(check);
    if ('problem' in check) break;
  }
  return checks;
}

async function checkLayer(
  { content, signature }: SignedLayer,
  candidates: readonly Key[],
  now: Date,
): Promise<SignatureCheck> {
  const packet = await readPacket(signature);
  if (packet === undefined) return { problem: messages.badSignature() };
  const { issuerKeyID, created, hashAlgorithm } = packet;
  if (!created) return { problem: messages.noSigningTime() };
  const timeProblem = signingTimeProblem(created, now);
  if (timeProblem) return { problem: timeProblem };
  if (brokenHashes.has(hashAlgorithm)) {
    return { problem: messages.weakSignature(enums.read(enums.hash, hashAlgorithm!).toUpperCase()) };
  }
  const signers = candidates.filter((key) => key.getKeys(issuerKeyID).length > 0);
  let problem = messages.unknownSigner(issuerKeyID.toHex());
  for (const key of signers) {
    const reason = await problemOf(content, signature, key, created > now ? created : now);
    if (!reason) {
      const fingerprint = key.getFingerprint();
      return {
        verified: { fingerprint, signed: created, hash: hashOfSigned(fingerprint, packet.signatureData!, content) },
      };
    }
    problem = reason;
  }
  return { problem };
}

async function readPacket(binarySignature: Uint8Array): Promise<SignaturePacket | undefined> {
  const read = await readSignature({ binarySignature }).catch(() => undefined);
  return read?.packets.length === 1 ? (read.packets[0] as SignaturePacket) : undefined;
}

/** Why a signature by a key is not valid: the key is revoked, has expired, or did not make it. */
async function problemOf(
  content: Uint8Array,
  binarySignature: Uint8Array,
  key: Key,
  date: Date,
): Promise<Message | undefined> {
  const keyCertName = keyCertNameOf(key.getFingerprint());
  if (await key.isRevoked(undefined, undefined, date)) return messages.publicKeyRevoked(keyCertName);
  const expires = await key.getExpirationTime();
  if (expires !== null && expires <= date) return messages.publicKeyExpired(keyCertName);
  const message = await createMessage({ binary: content });
  const signature = await readSignature({ binarySignature });
  const { signatures } = await verify({ message, signature, verificationKeys: key, date, format: 'binary' });
  const isValid = signatures.length === 1 && (await signatures[0]!.verified.catch(() => false));
  return isValid ? undefined : messages.badSignature();
}
