import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { SignatureOutcome, type VerifySignedTextResponse } from '@cadastre/proto/auth';
import { LookupStatus } from '@cadastre/proto/objects';
import { CredentialKind, type Principal, View } from '@cadastre/proto/registry';
import { allOf, parseObject } from '@cadastre/rpsl';
import type { BodyAllowance } from '../body/budget.js';
import { mediaTypeOf } from '../body/content-type.js';
import { type FormFields, parseMultipartForm, parseUrlencodedForm } from '../body/form.js';
import { readBody } from '../body/read.js';
import type { Context } from '../context.js';
import { challenge, HttpError } from '../errors.js';
import { messages } from '../messages.js';
import { withKeyCertNames } from '../plugins/key-cert-names.js';
import { isSecretName } from '../plugins/secret-parameters.js';

/** The updates of a request as sent, signed or not. */
export interface SubmittedText {
  readonly bytes: Buffer;
  /** As in the Content-Type; absent when it has none. */
  readonly charset: string | undefined;
  /** Whether the Content-Type declares CMS, in DER or PEM form. */
  readonly isCms: boolean;
  /** Whether every object must be new. */
  readonly onlyNew: boolean;
}

const formTypes: ReadonlySet<string> = new Set(['application/x-www-form-urlencoded', 'multipart/form-data']);
const cmsTypes: ReadonlySet<string> = new Set([
  'application/cms',
  'application/pkcs7-mime',
  'application/x-pkcs7-mime',
]);

/**
 * Reads the body: the text itself, CMS, or a form with the field DATA and, optionally, NEW. Throws an HttpError: 415
 * for the media type, 400 for a form without DATA or with an unsupported field, otherwise as `readBody`.
 */
export async function readSubmittedText(
  stream: Readable,
  headers: IncomingHttpHeaders,
  allowance: BodyAllowance,
): Promise<SubmittedText> {
  const contentType = headers['content-type'] ?? '';
  const { type: sent, charset } = mediaTypeOf(contentType);
  const type = sent.toLowerCase();
  const isCms = cmsTypes.has(type);
  const isForm = formTypes.has(type);
  if (!isCms && !isForm && type !== 'text/plain') throw new HttpError(415, messages.unsupportedUpdateType(sent));
  const body = await readBody(stream, headers, allowance);
  const fields = isForm ? await readForm(body, type, contentType) : undefined;
  const bytes = fields ? fields.get('DATA') : body;
  if (bytes === undefined || bytes.length === 0) throw new HttpError(400, messages.dataMissing());
  return { bytes, charset, isCms, onlyNew: isOn(fields?.get('NEW')) };
}

async function readForm(bytes: Buffer, type: string, contentType: string): Promise<FormFields> {
  const isMultipart = type === 'multipart/form-data';
  const fields = isMultipart ? await parseMultipartForm(bytes, contentType) : parseUrlencodedForm(bytes);
  const secret = [...fields.keys()].find(isSecretName);
  if (secret !== undefined) throw new HttpError(400, messages.secretParameter(secret.toLowerCase()));
  if (fields.has('DIFF')) throw new HttpError(400, messages.diffNotSupported());
  return fields;
}

function isOn(value: Buffer | undefined): boolean {
  return value !== undefined && value.toString('latin1').toLowerCase() !== 'no';
}

const pgpBegin = '-----BEGIN PGP SIGNED MESSAGE-----';
const pgpEnd = '-----END PGP SIGNATURE-----';
const mostKeys = 20;

/** The limits of the auth service. */
const maxOctets = 65_536;
const maxLines = 4_096;

/** Throws an HttpError (413) when a signed text is too large to verify. */
export function requireVerifiableSize(bytes: Buffer): void {
  if (bytes.length > maxOctets || bytes.toString('latin1').split('\n').length > maxLines) {
    throw new HttpError(413, messages.signedTextTooLarge(maxOctets, maxLines));
  }
}

/**
 * Whether a text is signed. Throws an HttpError (400) for text beside a signed block, which the signature does not
 * cover.
 */
export function isSigned(text: string): boolean {
  const whole = text.trim();
  if (/^-----BEGIN (?:CMS|PKCS7)-----/.test(whole)) return true;
  if (!new RegExp(`^${pgpBegin}`, 'm').test(whole)) return false;
  if (whole.startsWith(pgpBegin) && whole.endsWith(pgpEnd)) return true;
  throw new HttpError(400, messages.textBesideSignature());
}

/** A text with valid signatures. */
export interface VerifiedText {
  /** The text inside, in its own octets. */
  readonly bytes: Buffer;
  /** Fingerprints of the keys that signed. */
  readonly fingerprints: readonly string[];
  /** Marks the signatures as used. Throws an HttpError (401) when another request has used them. */
  useSignatures(): Promise<void>;
}

type CallOptions = { deadlineMs: number; requestId: string };

/**
 * Verifies a signed text with the key-cert objects of a source, without marking its signatures as used. Throws a
 * HttpError: 401 when a signature is wrong, too old or used before (decision W9), 400 when there is none.
 */
export async function verifySignedText(
  context: Context,
  source: string,
  signedText: Buffer,
  options: CallOptions,
): Promise<VerifiedText> {
  const candidatePgpKeys = await findKeys(context, source, signedText, options);
  const { signatures } = context;
  const verified = await signatures.verifySignedText({ signedText, candidatePgpKeys, checkOnly: true }, options);
  await requireVerified(context, verified, options);
  const { text, keyFingerprints, signatureHashes } = verified;
  const useSignatures = async () =>
    requireVerified(context, await signatures.acceptSignatures({ signatureHashes }, options), options);
  return { bytes: text, fingerprints: keyFingerprints, useSignatures };
}

async function requireVerified(
  context: Context,
  { outcome, messages: said }: Pick<VerifySignedTextResponse, 'outcome' | 'messages'>,
  options: CallOptions,
): Promise<void> {
  switch (outcome) {
    case SignatureOutcome.SIGNATURE_OUTCOME_VERIFIED:
      return;
    case SignatureOutcome.SIGNATURE_OUTCOME_UNSIGNED:
      throw new HttpError(400, messages.unsigned());
    default:
      throw new HttpError(
        401,
        said.length > 0 ? await withKeyCertNames(context, said, options) : messages.wrongSignature(),
        challenge,
      );
  }
}

/** The principal with the keys that signed. */
export function withSigners(principal: Principal | undefined, fingerprints: readonly string[]): Principal {
  const anonymous = {
    credentials: [],
    accountId: '',
    accountName: '',
    apiKeyId: '',
    maintainers: [],
    keyFingerprints: [],
  };
  const caller: Principal = principal ?? anonymous;
  return {
    ...caller,
    credentials: [...caller.credentials, CredentialKind.CREDENTIAL_KIND_SIGNATURE],
    keyFingerprints: [...caller.keyFingerprints, ...fingerprints],
  };
}

/** The armoured keys that may have signed: key-certs named after the signing keys or with those as subkeys. */
async function findKeys(
  { signatures, reader, lookUp }: Context,
  source: string,
  signedText: Buffer,
  options: CallOptions,
): Promise<string[]> {
  const { keyCertNames, pgpKeyIds } = await signatures.listSigners({ signedText }, options);
  if (pgpKeyIds.length === 0) return [];
  const { names } = await reader.findKeyCerts(
    { source, pgpSubkeyIds: pgpKeyIds, certificateFingerprints: [] },
    options,
  );
  const view = View.VIEW_UNFILTERED;
  const keys = [...new Set([...keyCertNames, ...names])].slice(0, mostKeys);
  const lookups = keys.map((key) => lookUp({ key: { source, type: 'key-cert', key }, view, withContacts: false }));
  return (await Promise.all(lookups)).flatMap(({ status, object }) =>
    status === LookupStatus.LOOKUP_STATUS_FOUND && object ? [armouredKey(object.text)] : [],
  );
}

function armouredKey(text: string): string {
  const parsed = parseObject(text);
  const lines = parsed.ok ? allOf(parsed.object, 'certif').flatMap(({ raw }) => raw.split('\n')) : [];
  return lines.map((line) => line.replace(/^\+/, '').trim()).join('\n');
}
