// /syncupdates/:source

import { maxSignatures } from '@cadastre/keys';
import { SourceKind } from '@cadastre/proto/objects';
import type { Principal } from '@cadastre/proto/registry';
import { object, type Schema, text } from '@cadastre/rdap/schema';
import { asciiUpperCase } from '@cadastre/rpsl';
import { longCall, shortCall } from '../backends/call-options.js';
import { decodeBody } from '../body/content-type.js';
import type { Context } from '../context.js';
import { personExample } from '../documents/submission.js';
import { challenge, HttpError } from '../errors.js';
import { checkFailedCredentials, countFailedCredentials } from '../limits/exceeded.js';
import { textContent } from '../openapi/content.js';
import { parameter } from '../parameters.js';
import type { RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { Resource, Route, RouteRequest } from '../route.js';
import type { SourceParameters } from './object-address.js';
import { acknowledgementText } from './syncupdates/acknowledgement.js';
import { type AppliedUpdate, applyUpdates } from './syncupdates/apply-updates.js';
import {
  blocksOf,
  isSigned,
  readSubmittedText,
  requireVerifiableSize,
  type SubmittedText,
  useSignatures,
  type VerifiedText,
  verifySignedText,
  withSigners,
} from './syncupdates/signed-text.js';
import { readUpdates, refuseSecrets, type Updates } from './syncupdates/updates.js';

const query = { 'dry-run': parameter.flag('Shows the result of the updates without storing anything.') };
const form: Schema = object(
  'A form.',
  {},
  {
    DATA: text('The objects, as in text/plain.', { minLength: 1, examples: [personExample.text] }),
    NEW: text('With any value except `no`, every object must be new.'),
    HELP: text('With any value except `no`, and without `DATA`, the response explains this form.'),
  },
);
const objectsText: Schema = text('The objects.', { minLength: 1 });
const signature: Schema = text('CMS SignedData that contains the objects, in DER form.', { format: 'binary' });

/** POST of RPSL text with one or many objects, signed or not (decision W9). */
const textUpdate: Route<SourceParameters, typeof query> = {
  id: 'synchroniseUpdates',
  tag: 'Objects',
  summary: 'Write objects as text',
  doc: 'Accepts objects as RPSL text, separated by blank lines: PGP clear-signed, CMS, or unsigned. Each object is a separate write; a line `delete: reason` deletes the object. The credential of a PGP-signed block is valid for the objects inside this block; others beside it need other credentials. A signature is valid once and for one hour; a text has at most five. A signed text has at most 65,536 octets and 4,096 lines, and excludes `NEW` and the parameter `dry-run`; a line `dry-run:` inside the signature replaces the latter. The response is a text report with the result of each object.',
  query,
  body: {
    doc: 'The objects.',
    content: {
      // Generated clients send the first type. Some do not compile when text precedes the forms.
      'application/x-www-form-urlencoded': { schema: form },
      'multipart/form-data': { schema: form },
      'text/plain': { schema: objectsText, example: personExample.text },
      'application/pkcs7-mime': { schema: signature },
      'application/x-pkcs7-mime': { schema: signature },
      'application/cms': { schema: signature },
    },
  },
  success: {
    doc: 'The report. The status is 200 even if objects were refused, but 401 if an authorisation failed.',
    content: textContent,
    headers: ['CADASTRE-Serial'],
  },
  credentials: 'optional',
  handler: synchroniseUpdates,
};

export const syncupdatesResource: Resource = {
  name: 'syncupdates',
  url: '/syncupdates/:source',
  format: 'text',
  isSameSite: true,
  POST: textUpdate,
};

const help = `POST objects as RPSL text to /syncupdates/SOURCE, separated by blank lines.

Fields of a form:
  DATA   the objects; a line "delete: reason" deletes the object
  NEW    every object must be new, unless the value is "no"
  HELP   this text

In the URL, "dry-run" shows the result of the updates without storing anything.
Credentials: an API key or a token in the header Authorization, a client certificate, or a PGP or CMS signature.
The response tells for each object whether it was written, and why not.
`;

type UpdateRequest = RouteRequest<SourceParameters, typeof query>;

async function synchroniseUpdates(context: Context, request: UpdateRequest): Promise<RouteReply> {
  const { 'dry-run': dryRun } = request.query;
  await requireMainSource(context, request);
  const submitted = await readSubmittedText(request);
  if (submitted === undefined) return { status: 200, headers: {}, content: Buffer.from(help) };
  const blocks = await openBlocks(context, request, submitted);
  const { updates, unreadable, dryRun: isMarkedDryRun } = readBlocks(context, blocks);
  const isTrial = dryRun || isMarkedDryRun;
  if (!isTrial) await acceptSignatures(context, request, blocks);
  const applied = await applyUpdates(context, updates, {
    source: request.params.source,
    dryRun: isTrial,
    onlyNew: submitted.onlyNew,
    client: request.limitedClient,
    clientAddress: request.client.address,
    requestId: request.id,
  });
  const report = acknowledgementText({
    host: request.client.address,
    time: new Date(),
    applied,
    unreadable,
    messages: request.notices,
    terms: context.settings.termsUrl,
    version: context.version.version,
  });
  request.storageToday = applied.findLast(({ storageToday }) => storageToday !== undefined)?.storageToday;
  return reportReply(applied, report);
}

/** A part of a text after the verification of its signatures, if it has any. */
interface OpenedBlock {
  /** The text inside the signatures. */
  readonly text: string;
  /** The sender and the signers. */
  readonly principal: Principal | undefined;
  readonly signatureHashes: readonly Buffer[];
}

/** Opens each block separately: the credential of a signed block is valid for this block only. */
async function openBlocks(
  context: Context,
  request: UpdateRequest,
  { bytes, charset, isCms, onlyNew }: SubmittedText,
): Promise<OpenedBlock[]> {
  const { principal } = request;
  if (!isCms) {
    const text = decodeBody(bytes, { charset });
    refuseSecrets(text);
    if (text.trim() === '') throw new HttpError(400, messages.dataMissing());
    if (!isSigned(text)) return [{ text, principal, signatureHashes: [] }];
  }
  requireNothingUnsigned(request, onlyNew);
  requireVerifiableSize(bytes);
  checkFailedCredentials(context, request.limitedClient);
  const blocks = isCms ? [{ bytes, isSigned: true }] : blocksOf(bytes);
  // Its character set hides the signatures.
  if (!blocks.some((block) => block.isSigned)) throw new HttpError(400, messages.unsigned());
  const opened: OpenedBlock[] = [];
  for (const block of blocks) {
    const signed = block.isSigned ? await openSigned(context, request, block.bytes) : undefined;
    opened.push({
      text: decodeBody(signed?.bytes ?? block.bytes, { charset }),
      principal: signed ? withSigners(principal, signed.fingerprints) : principal,
      signatureHashes: signed?.signatureHashes ?? [],
    });
    if (hashesOf(opened).length > maxSignatures) throw new HttpError(400, messages.tooManySignatures(maxSignatures));
  }
  return opened;
}

function openSigned(context: Context, request: UpdateRequest, bytes: Buffer): Promise<VerifiedText> {
  const { params } = request;
  return counted(context, request, verifySignedText(context, params.source, bytes, longCall(context, request)));
}

function hashesOf(blocks: readonly OpenedBlock[]): Buffer[] {
  return blocks.flatMap(({ signatureHashes }) => signatureHashes);
}

/** Marks the signatures of all blocks as used, all or none. */
async function acceptSignatures(
  context: Context,
  request: UpdateRequest,
  blocks: readonly OpenedBlock[],
): Promise<void> {
  const hashes = hashesOf(blocks);
  if (hashes.length > 0) await counted(context, request, useSignatures(context, hashes, longCall(context, request)));
}

/** Counts a refused signature as a failed credential of the client. */
async function counted<T>(context: Context, { limitedClient }: UpdateRequest, checking: Promise<T>): Promise<T> {
  return checking.catch((thrown: unknown) => {
    countFailedCredentials(context, limitedClient, thrown);
    throw thrown;
  });
}

/** The updates of all blocks. Throws an HttpError (400) as `readUpdates`, and for a dry run that is not signed. */
function readBlocks({ settings }: Context, blocks: readonly OpenedBlock[]): Updates {
  const limits = { objects: settings.bodyObjects, attributes: settings.bodyAttributes };
  const read = blocks.map(({ text, principal }) => readUpdates(text, limits, principal));
  const isSignedText = hashesOf(blocks).length > 0;
  if (isSignedText && read.some(({ dryRun }, at) => dryRun && blocks[at]!.signatureHashes.length === 0)) {
    throw new HttpError(400, messages.notSigned('dry-run'));
  }
  const updates = read.flatMap((one) => one.updates);
  const unreadable = read.flatMap((one) => one.unreadable);
  if (updates.length + unreadable.length > limits.objects) {
    throw new HttpError(400, messages.tooManyObjects(limits.objects));
  }
  return { updates, unreadable, dryRun: read.some(({ dryRun }) => dryRun) };
}

/** Refuses (400) options outside the signatures: an interceptor of the text could add them. */
function requireNothingUnsigned({ query: sent }: UpdateRequest, onlyNew: boolean): void {
  if (sent['dry-run']) throw new HttpError(400, messages.notSigned('dry-run'));
  if (onlyNew) throw new HttpError(400, messages.notSigned('NEW'));
}

async function requireMainSource(context: Context, request: UpdateRequest): Promise<void> {
  const { source: sent } = request.params;
  const { sources } = await context.reader.listSources({}, shortCall(context, request));
  const name = asciiUpperCase(sent);
  const isMain = sources.some((source) => source.name === name && source.kind === SourceKind.SOURCE_KIND_MAIN);
  if (!isMain) throw new HttpError(400, messages.invalidSyncSource(sent));
}

/** 200 even if objects were refused, because the report has their errors; 401 when an authorisation failed. */
function reportReply(applied: readonly AppliedUpdate[], report: string): RouteReply {
  const statuses = applied.map((one) => one.status);
  const status = statuses.find((one) => one >= 500) ?? statuses.find((one) => one === 401) ?? 200;
  const serial = applied.reduce((newest, { result }) => {
    return result !== undefined && result.serial > newest ? result.serial : newest;
  }, 0n);
  return {
    status,
    headers: { ...(serial > 0n ? { 'cadastre-serial': String(serial) } : {}), ...(status === 401 ? challenge : {}) },
    content: Buffer.from(report),
  };
}
