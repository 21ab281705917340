import { maxSignedLines, maxSignedOctets, pemCms, pgpBlock, pgpLines } from '@cadastre/keys';
import { SignatureOutcome, type VerifySignedTextResponse } from '@cadastre/proto/auth';
import { LookupStatus } from '@cadastre/proto/objects';
import { CredentialKind, type Principal, View } from '@cadastre/proto/registry';
import { allOf, parseObject } from '@cadastre/rpsl';
import { withKeyCertNames } from '../../backends/key-cert-names.js';
import { mediaTypeOf } from '../../body/content-type.js';
import { type FormFields, parseMultipartForm, parseUrlencodedForm } from '../../body/form.js';
import { readBody, type SentBody } from '../../body/read.js';
import type { Context } from '../../context.js';
import { challenge, HttpError } from '../../errors.js';
import { isSecretName } from '../../parameters.js';
import { messages } from '../../ripe-messages.js';

/** The updates of a request as sent, signed or not. */
export interface SubmittedText {
  readonly bytes: Buffer;
  /** As in the Content-Type; absent when it has none. */
  readonly charset: string | undefined;
  /** Whether the Content-Type states CMS, in DER or PEM form. */
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
 * Reads the body: the text itself, CMS, or a form with the field DATA and, optionally, NEW; undefined for a form that has
 * HELP instead of DATA. Throws an HttpError: 415 for the media type, 400 for a form without both or with an unsupported
 * field, otherwise as `readBody`.
 */
export async function readSubmittedText(request: SentBody): Promise<SubmittedText | undefined> {
  const contentType = request.headers['content-type'] ?? '';
  const { type: sent, charset } = mediaTypeOf(contentType);
  const type = sent.toLowerCase();
  const isCms = cmsTypes.has(type);
  const isForm = formTypes.has(type);
  if (!isCms && !isForm && type !== 'text/plain') throw new HttpError(415, messages.unsupportedUpdateType(sent));
  const body = await readBody(request);
  const fields = isForm ? await readForm(body, type, contentType) : undefined;
  const bytes = fields ? fields.get('DATA') : body;
  if (bytes === undefined || bytes.length === 0) {
    if (isOn(fields?.get('HELP'))) return undefined;
    throw new HttpError(400, messages.dataMissing());
  }
  return { bytes, charset, isCms, onlyNew: isOn(fields?.get('NEW')) };
}

async function readForm(bytes: Buffer, type: string, contentType: string): Promise<FormFields> {
  const isMultipart = type === 'multipart/form-data';
  const fields = isMultipart ? await parseMultipartForm(bytes, contentType) : parseUrlencodedForm(bytes);
  const secret = [...fields.keys()].find(isSecretName);
  if (secret !== undefined) throw new HttpError(400, messages.secretParameter(secret.toLowerCase()));
  if (isOn(fields.get('DIFF'))) throw new HttpError(400, messages.diffNotSupported());
  return fields;
}

function isOn(value: Buffer | undefined): boolean {
  return value !== undefined && value.toString('latin1').toLowerCase() !== 'no';
}

const maxKeys = 20;

/** Throws an HttpError (413) when a signed text is too large to verify. */
export function requireVerifiableSize(bytes: Buffer): void {
  if (bytes.length > maxSignedOctets || bytes.toString('latin1').split('\n').length > maxSignedLines) {
    throw new HttpError(413, messages.signedTextTooLarge(maxSignedOctets, maxSignedLines));
  }
}

/** Whether a text or a part of it is signed. */
export function isSigned(text: string): boolean {
  return pemCms.test(text) || pgpBlock.test(text);
}

/** A part of a text, undecoded: a signed block, or the text around such blocks. */
interface TextBlock {
  readonly bytes: Buffer;
  readonly isSigned: boolean;
}

/** The blocks of a signed text, without blank ones. Each PGP block ends at its end line or at the end of the text. */
export function blocksOf(bytes: Buffer): TextBlock[] {
  const text = bytes.toString('latin1');
  if (pemCms.test(text)) return [{ bytes, isSigned: true }];
  const blocks: { lines: string[]; isSigned: boolean }[] = [];
  let open: { lines: string[]; isSigned: boolean } | undefined;
  for (const line of text.split(/(?<=\n|\r(?!\n))/)) {
    const begins = line.startsWith(pgpLines.begin);
    if (open === undefined || (begins && !open.isSigned)) {
      open = { lines: [], isSigned: begins };
      blocks.push(open);
    }
    open.lines.push(line);
    if (open.isSigned && line.startsWith(pgpLines.signatureEnd)) open = undefined;
  }
  return blocks
    .map(({ lines, isSigned }) => ({ bytes: Buffer.from(lines.join(''), 'latin1'), isSigned }))
    .filter((block) => block.isSigned || block.bytes.toString('latin1').trim() !== '');
}

/** A text with valid signatures. */
export interface VerifiedText {
  /** The text inside, undecoded. */
  readonly bytes: Buffer;
  /** Fingerprints of the signing keys. */
  readonly fingerprints: readonly string[];
  /** For `useSignatures`. */
  readonly signatureHashes: readonly Buffer[];
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
  return { bytes: text, fingerprints: keyFingerprints, signatureHashes };
}

/** Marks signatures as used, all or none. Throws an HttpError (401) when another request has used one of them. */
export async function useSignatures(
  context: Context,
  signatureHashes: readonly Buffer[],
  options: CallOptions,
): Promise<void> {
  const accepted = await context.signatures.acceptSignatures({ signatureHashes: [...signatureHashes] }, options);
  await requireVerified(context, accepted, options);
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

/** The principal with the signing keys. */
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

/**
 * The armoured keys that may have signed: of key-certs with the names of the signing keys, or with these as subkeys.
 */
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
  const keys = [...new Set([...keyCertNames, ...names])].slice(0, maxKeys);
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
