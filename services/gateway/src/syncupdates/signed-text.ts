import { SignatureOutcome, type VerifySignedTextResponse } from '@cadastre/proto/auth';
import { LookupStatus } from '@cadastre/proto/objects';
import { CredentialKind, type Principal, View } from '@cadastre/proto/registry';
import { allOf, parseObject } from '@cadastre/rpsl';
import type { Context } from '../context.js';
import { challenge, Refusal } from '../errors.js';
import { messages } from '../messages.js';

/** A text whose signatures hold. */
export interface SignedText {
  /** The text inside, in its own octets. */
  readonly bytes: Buffer;
  /** Fingerprints of the keys that signed. */
  readonly fingerprints: readonly string[];
  /** Uses the signatures up. Throws a Refusal (401) when somebody else did so in the meantime. */
  accept(): Promise<void>;
}

type CallOptions = { deadlineMs: number; requestId: string };

const pgpBegin = '-----BEGIN PGP SIGNED MESSAGE-----';
const pgpEnd = '-----END PGP SIGNATURE-----';
const mostKeys = 20;

/**
 * Whether a text is signed. Throws a Refusal (400) when something stands beside a signed block: nobody could tell
 * whether it is meant to be signed.
 */
export function isSigned(text: string): boolean {
  const whole = text.trim();
  if (/^-----BEGIN (?:CMS|PKCS7)-----/.test(whole)) return true;
  if (!new RegExp(`^${pgpBegin}`, 'm').test(whole)) return false;
  if (whole.startsWith(pgpBegin) && whole.endsWith(pgpEnd)) return true;
  throw new Refusal(400, messages.textBesideSignature());
}

/**
 * Verifies a signed text with the key-cert objects of a source. Throws a Refusal: 401 when a signature does not hold,
 * is too old, or was used before (decision W9), 400 when there is none. The signatures are not used up by it.
 */
export async function verifySignedText(
  context: Context,
  source: string,
  signedText: Buffer,
  options: CallOptions,
): Promise<SignedText> {
  const candidatePgpKeys = await findKeys(context, source, signedText, options);
  const verify = async (checkOnly: boolean) =>
    verifiedOnly(await context.signatures.verifySignedText({ signedText, candidatePgpKeys, checkOnly }, options));
  const { text, keyFingerprints } = await verify(true);
  return { bytes: text, fingerprints: keyFingerprints, accept: async () => void (await verify(false)) };
}

function verifiedOnly(verified: VerifySignedTextResponse): VerifySignedTextResponse {
  switch (verified.outcome) {
    case SignatureOutcome.SIGNATURE_OUTCOME_VERIFIED:
      return verified;
    case SignatureOutcome.SIGNATURE_OUTCOME_UNSIGNED:
      throw new Refusal(400, messages.unsigned());
    default:
      throw new Refusal(401, verified.messages.length > 0 ? verified.messages : messages.wrongSignature(), challenge);
  }
}

/** Who asks, having signed with some keys. */
export function signedBy(principal: Principal | undefined, fingerprints: readonly string[]): Principal {
  const nobody = {
    credentials: [],
    accountId: '',
    accountName: '',
    apiKeyId: '',
    maintainers: [],
    keyFingerprints: [],
  };
  const caller: Principal = principal ?? nobody;
  return {
    ...caller,
    credentials: [...caller.credentials, CredentialKind.CREDENTIAL_KIND_SIGNATURE],
    keyFingerprints: [...caller.keyFingerprints, ...fingerprints],
  };
}

/** The armoured keys that may have signed: those named after the signing keys, and those that have them as subkeys. */
async function findKeys(
  { signatures, reader, lookUp }: Context,
  source: string,
  signedText: Buffer,
  options: CallOptions,
): Promise<string[]> {
  const { keyCertNames, pgpKeyIds } = await signatures.listSigners({ signedText }, options);
  if (pgpKeyIds.length === 0) return [];
  const { names } = await reader.findKeyCerts({ source, pgpSubkeyIds: pgpKeyIds }, options);
  const view = View.VIEW_UNFILTERED;
  const all = [...new Set([...keyCertNames, ...names])].slice(0, mostKeys);
  const questions = all.map((key) => ({ key: { source, type: 'key-cert', key }, view, withContacts: false }));
  const answers = await Promise.all(questions.map((question) => lookUp(question)));
  return answers.flatMap(({ status, object }) =>
    status === LookupStatus.LOOKUP_STATUS_FOUND && object ? [armouredKey(object.text)] : [],
  );
}

function armouredKey(text: string): string {
  const parsed = parseObject(text);
  const lines = parsed.ok ? allOf(parsed.object, 'certif').flatMap(({ raw }) => raw.split('\n')) : [];
  return lines.map((line) => line.replace(/^\+/, '').trim()).join('\n');
}
