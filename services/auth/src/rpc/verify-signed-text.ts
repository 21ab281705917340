import {
  SignatureForm,
  SignatureOutcome,
  type VerifySignedTextRequest,
  VerifySignedTextResponse,
} from '@cadastre/proto/auth';
import type { Message } from '@cadastre/proto/registry';
import { inTransaction } from '@cadastre/service';
import type { Context } from '../context.js';
import { messages } from '../domain/messages.js';
import { rememberedUntil } from '../domain/signing-time.js';
import { checkCmsSignature, readCms } from '../signatures/cms-signature.js';
import { pgpLayersOf } from '../signatures/pgp-layers.js';
import { checkPgpSignature, readCandidates } from '../signatures/pgp-signature.js';
import { signatureFormOf, withoutArmour } from '../signatures/signature-form.js';
import type { SignatureCheck, VerifiedSignature } from '../signatures/verified.js';
import { rememberSignatures } from '../store/accepted-signatures.js';
import { limitSignedText, limitSigningKeys } from './signed-text-limits.js';

/** What was signed, and a check of each signature over it, outermost first. */
interface CheckedText {
  text: Buffer;
  checks: SignatureCheck[];
}

/** Verifies every signature over a text and, unless told otherwise, remembers them, so that none is accepted again. */
export async function verifySignedText(
  context: Context,
  { signedText, candidatePgpKeys, checkOnly }: VerifySignedTextRequest,
): Promise<VerifySignedTextResponse> {
  limitSignedText(signedText);
  limitSigningKeys(candidatePgpKeys);
  const form = signatureFormOf(signedText);
  if (form === SignatureForm.SIGNATURE_FORM_UNSPECIFIED) return unsigned;
  const now = context.now();
  const isCms = form === SignatureForm.SIGNATURE_FORM_CMS;
  const checked = isCms ? await checkCms(signedText, now) : await checkPgp(signedText, candidatePgpKeys, now);
  const problems = checked.checks.flatMap((check) => ('problem' in check ? [check.problem] : []));
  if (problems.length > 0) return rejected(problems);
  const verified = checked.checks.flatMap((check) => ('verified' in check ? [check.verified] : []));
  const isFirst = await rememberFirstUse(context, verified, now, checkOnly);
  return isFirst ? accepted(checked.text, verified) : rejected([messages.signatureUsed()]);
}

async function checkPgp(signedText: Uint8Array, armouredKeys: string[], now: Date): Promise<CheckedText> {
  const layers = await pgpLayersOf(signedText);
  if (!layers) return nothing(messages.notWhollySigned());
  const candidates = await readCandidates(armouredKeys);
  const checks = await Promise.all(layers.map((layer) => checkPgpSignature(layer, candidates, now)));
  return { text: layers.at(-1)!.content, checks };
}

async function checkCms(signedText: Uint8Array, now: Date): Promise<CheckedText> {
  const message = readCms(withoutArmour(signedText));
  if (!message) return nothing(messages.badSignature());
  return { text: message.content, checks: [await checkCmsSignature(message, now)] };
}

function nothing(problem: Message): CheckedText {
  return { text: Buffer.alloc(0), checks: [{ problem }] };
}

/** Ends a transaction that is to leave nothing behind. */
class NothingRemembered extends Error {
  constructor(readonly isFirst: boolean) {
    super();
  }
}

/** Answers false, and remembers nothing, when any of the signatures was accepted before. */
async function rememberFirstUse(
  { pool }: Context,
  verified: VerifiedSignature[],
  now: Date,
  checkOnly: boolean,
): Promise<boolean> {
  const hashes = verified.map(({ hash }) => hash);
  const expires = new Date(Math.max(...verified.map(({ signed }) => rememberedUntil(signed).getTime())));
  try {
    await inTransaction(pool, async (client) => {
      const isFirst = await rememberSignatures(client, hashes, expires, now);
      if (checkOnly || !isFirst) throw new NothingRemembered(isFirst);
    });
    return true;
  } catch (error) {
    if (error instanceof NothingRemembered) return error.isFirst;
    throw error;
  }
}

function accepted(text: Buffer, verified: VerifiedSignature[]): VerifySignedTextResponse {
  return {
    outcome: SignatureOutcome.SIGNATURE_OUTCOME_VERIFIED,
    text,
    keyFingerprints: verified.map(({ fingerprint }) => fingerprint),
    signed: new Date(Math.min(...verified.map(({ signed }) => signed.getTime()))),
    messages: [],
  };
}

function rejected(problems: Message[]): VerifySignedTextResponse {
  return VerifySignedTextResponse.fromPartial({
    outcome: SignatureOutcome.SIGNATURE_OUTCOME_REJECTED,
    messages: problems,
  });
}

const unsigned = VerifySignedTextResponse.fromPartial({ outcome: SignatureOutcome.SIGNATURE_OUTCOME_UNSIGNED });
