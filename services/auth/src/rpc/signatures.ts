import {
  exceededDerBound,
  inspectPgpKey,
  maxMaterialLength,
  maxSignatures,
  maxSignedLines,
  maxSignedOctets,
  readArmour,
} from '@cadastre/keys';
import {
  SignatureForm,
  SignatureOutcome,
  type SignatureServiceService,
  VerifySignedTextResponse,
} from '@cadastre/proto/auth';
import type { Message } from '@cadastre/proto/registry';
import { type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { messages } from '../domain/messages.js';
import {
  type CheckedText,
  keyCertNameOf,
  rememberUntil,
  unreadableText,
  type VerifiedSignature,
} from '../domain/signatures.js';
import { cmsDerOf, pgpLayersOf, signatureFormOf } from '../signatures/signed-text.js';
import { rememberSignatures } from '../store/signatures.js';

const maxKeys = 20;
const hashOctets = 32;

/** The methods of SignatureService. */
export function signatureHandlers(context: Context): Handlers<typeof SignatureServiceService> {
  return {
    listSigners: async ({ signedText }) => {
      limitText(signedText);
      const form = signatureFormOf(signedText);
      const layers = form === SignatureForm.SIGNATURE_FORM_PGP ? pgpLayersOf(signedText) : undefined;
      const pgpKeyIds = (layers ?? []).map(({ issuerKeyId }) => issuerKeyId);
      return { form, pgpKeyIds, keyCertNames: [...new Set(pgpKeyIds.map(keyCertNameOf))] };
    },
    verifySignedText: async ({ signedText, candidatePgpKeys, checkOnly }) => {
      limitText(signedText);
      if (candidatePgpKeys.length > maxKeys) throw new ServiceError('invalid', [messages.tooManySigningKeys(maxKeys)]);
      const form = signatureFormOf(signedText);
      if (form === SignatureForm.SIGNATURE_FORM_UNSPECIFIED) return unsigned;
      const { text, checks } = await (form === SignatureForm.SIGNATURE_FORM_CMS
        ? checkCms(context, signedText)
        : checkPgp(context, signedText, candidatePgpKeys));
      const problems = checks.flatMap((check) => ('problem' in check ? [check.problem] : []));
      if (problems.length > 0) return rejected(problems);
      const verified = checks.flatMap((check) => ('verified' in check ? [check.verified] : []));
      const hashes = verified.map(({ hash }) => hash);
      const areNew = await remember(context, hashes, checkOnly);
      return areNew ? accepted(text, verified) : rejected([messages.signatureUsed()]);
    },
    acceptSignatures: async ({ signatureHashes: hashes }) => {
      const areHashes = hashes.length > 0 && hashes.every(({ length }) => length === hashOctets);
      if (!areHashes || hashes.length > maxSignatures) {
        throw new ServiceError('invalid', [messages.badSignatureHashes(maxSignatures)]);
      }
      return (await remember(context, hashes, false))
        ? { outcome: SignatureOutcome.SIGNATURE_OUTCOME_VERIFIED, messages: [] }
        : { outcome: SignatureOutcome.SIGNATURE_OUTCOME_REJECTED, messages: [messages.signatureUsed()] };
    },
  };
}

/** Refuses a text that would cost too much to read. */
function limitText(text: Uint8Array): void {
  if (text.length > maxSignedOctets || countLines(text) > maxSignedLines) {
    throw new ServiceError('invalid', [messages.signedTextTooLarge(maxSignedOctets, maxSignedLines)]);
  }
}

function countLines(text: Uint8Array): number {
  return text.reduce((lines, octet) => (octet === 0x0a ? lines + 1 : lines), 1);
}

async function checkPgp({ signatures, now }: Context, signedText: Uint8Array, keys: string[]): Promise<CheckedText> {
  const layers = pgpLayersOf(signedText);
  if (!layers) return unreadableText(messages.notWhollySigned());
  const issuers = layers.map(({ issuerKeyId }) => issuerKeyId);
  const checks = await signatures.run('checkPgpLayers', layers, candidatesOf(keys, issuers), now());
  return { text: layers.at(-1)!.content, checks };
}

/**
 * The keys that may have signed, each once. Omits unreadable keys and those beyond the bounds. One key per layer is
 * enough: each layer names one, and two keys with the same key ID are practically impossible.
 */
function candidatesOf(armouredKeys: readonly string[], issuers: readonly string[]): Buffer[] {
  const candidates = new Map<string, Buffer>();
  for (const text of armouredKeys.filter(({ length }) => length <= maxMaterialLength)) {
    const octets = readArmour(text, 'PUBLIC KEY BLOCK')?.octets ?? Buffer.alloc(0);
    const inspected = inspectPgpKey(octets);
    const isNamed = inspected.ok && inspected.key.keyIds.some((id) => issuers.includes(id));
    if (isNamed) candidates.set(inspected.key.fingerprint, octets);
  }
  return [...candidates.values()].slice(0, maxSignatures);
}

async function checkCms({ signatures, now }: Context, signedText: Uint8Array): Promise<CheckedText> {
  const der = cmsDerOf(signedText);
  if (exceededDerBound(der) !== undefined) return unreadableText(messages.badSignature());
  return signatures.run('checkCms', der, now());
}

/** Returns false, and remembers nothing, when any of the signatures was accepted before. */
function remember({ pool, now }: Context, hashes: readonly Uint8Array[], checkOnly: boolean): Promise<boolean> {
  const time = now();
  return rememberSignatures(pool, hashes, { now: time, expires: rememberUntil(time), checkOnly });
}

function accepted(text: Uint8Array, verified: VerifiedSignature[]): VerifySignedTextResponse {
  return {
    outcome: SignatureOutcome.SIGNATURE_OUTCOME_VERIFIED,
    text: Buffer.from(text),
    keyFingerprints: verified.map(({ fingerprint }) => fingerprint),
    signed: new Date(Math.min(...verified.map(({ signed }) => signed.getTime()))),
    messages: [],
    signatureHashes: verified.map(({ hash }) => Buffer.from(hash)),
  };
}

function rejected(problems: Message[]): VerifySignedTextResponse {
  const outcome = SignatureOutcome.SIGNATURE_OUTCOME_REJECTED;
  return VerifySignedTextResponse.fromPartial({ outcome, messages: problems });
}

const unsigned = VerifySignedTextResponse.fromPartial({ outcome: SignatureOutcome.SIGNATURE_OUTCOME_UNSIGNED });
