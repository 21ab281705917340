import { SourceKind } from '@cadastre/proto/objects';
import type { Principal } from '@cadastre/proto/registry';
import { asciiUpperCase } from '@cadastre/rpsl';
import { readCall, writeCall } from '../backends/call-options.js';
import { decodeBody } from '../body/content-type.js';
import type { Context } from '../context.js';
import { challenge, HttpError } from '../errors.js';
import { messages } from '../messages.js';
import { textContent } from '../openapi/content.js';
import { checkFailedCredentials, countFailedCredentials } from '../plugins/limits.js';
import { parameter } from '../plugins/parameters.js';
import type { RouteReply } from '../plugins/reply.js';
import { object, type Schema, text } from '../schemas/schema.js';
import { acknowledgementText } from '../syncupdates/acknowledgement.js';
import { type AppliedUpdate, applyUpdates } from '../syncupdates/apply-updates.js';
import {
  isSigned,
  readSubmittedText,
  requireVerifiableSize,
  type SubmittedText,
  verifySignedText,
  withSigners,
} from '../syncupdates/signed-text.js';
import { readUpdates, refuseSecrets } from '../syncupdates/updates.js';
import type { SourceParameters } from './object-address.js';
import type { Resource, Route, RouteRequest } from './route.js';

const query = { 'dry-run': parameter.flag('Shows the result of the updates without storing anything.') };
const form: Schema = object(
  'A form.',
  { DATA: text('The objects, as in text/plain.') },
  { NEW: text('With any value except `no`, every object must be new.') },
);
const signature: Schema = text('CMS SignedData that contains the objects, in DER form.', { format: 'binary' });

/** POST of RPSL text with one or many objects, signed or not (decision W9). */
const textUpdate: Route<SourceParameters, typeof query> = {
  id: 'synchroniseUpdates',
  tag: 'Objects',
  summary: 'Write objects as text',
  doc: 'Accepts objects as RPSL text, separated by blank lines: PGP clear-signed, CMS, or unsigned. Each object is a separate write; a line `delete: reason` deletes the object. A signature is valid once and for one hour. A signed text has at most 65,536 octets and 4,096 lines, and excludes `NEW` and the parameter `dry-run`; a line `dry-run:` inside the signature replaces the latter. The response is a text report with the result of each object.',
  query,
  body: {
    doc: 'The objects.',
    content: {
      ...textContent,
      'application/x-www-form-urlencoded': { schema: form },
      'multipart/form-data': { schema: form },
      'application/pkcs7-mime': { schema: signature },
      'application/x-pkcs7-mime': { schema: signature },
      'application/cms': { schema: signature },
    },
  },
  success: {
    doc: 'The report. The status is 200 even if objects were refused, but 401 if one lacked authority.',
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

type UpdateRequest = RouteRequest<SourceParameters, typeof query>;

async function synchroniseUpdates(context: Context, request: UpdateRequest): Promise<RouteReply> {
  const { 'dry-run': dryRun } = request.query;
  await requireMainSource(context, request);
  const submitted = await readSubmittedText(request.raw, request.headers, request.bodyAllowance);
  const { text, principal, accept } = await openText(context, request, submitted);
  const { bodyObjects: objects, bodyAttributes: attributes } = context.settings;
  const { updates, unreadable, dryRun: isMarkedDryRun } = readUpdates(text, { objects, attributes });
  const isTrial = dryRun || isMarkedDryRun;
  if (!isTrial) await accept();
  const applied = await applyUpdates(context, updates, {
    source: request.params.source,
    principal,
    dryRun: isTrial,
    onlyNew: submitted.onlyNew,
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
  return reportReply(applied, report);
}

/** The text of a request after its signatures were verified. */
interface OpenedText {
  /** The text inside the signatures. */
  readonly text: string;
  /** The sender and the signers. */
  readonly principal: Principal | undefined;
  /** Marks the signatures as used, if there are any. */
  accept(): Promise<void>;
}

async function openText(
  context: Context,
  request: UpdateRequest,
  { bytes, charset, isCms, onlyNew }: SubmittedText,
): Promise<OpenedText> {
  const { params, principal, limitedClient } = request;
  if (!isCms) {
    const text = decodeBody(bytes, { charset });
    refuseSecrets(text);
    if (text.trim() === '') throw new HttpError(400, messages.dataMissing());
    if (!isSigned(text)) return { text, principal, accept: async () => {} };
  }
  requireNothingUnsigned(request, onlyNew);
  requireVerifiableSize(bytes);
  checkFailedCredentials(context, limitedClient);
  const counted = <T>(checking: Promise<T>): Promise<T> =>
    checking.catch((thrown: unknown) => {
      countFailedCredentials(context, limitedClient, thrown);
      throw thrown;
    });
  const signed = await counted(verifySignedText(context, params.source, bytes, writeCall(context, request)));
  const text = decodeBody(signed.bytes, { charset });
  return {
    text,
    principal: withSigners(principal, signed.fingerprints),
    accept: () => counted(signed.useSignatures()),
  };
}

/** Refuses (400) what a signature does not cover: an interceptor of the text could add it. */
function requireNothingUnsigned({ query: sent }: UpdateRequest, onlyNew: boolean): void {
  if (sent['dry-run']) throw new HttpError(400, messages.notSigned('dry-run'));
  if (onlyNew) throw new HttpError(400, messages.notSigned('NEW'));
}

async function requireMainSource(context: Context, request: UpdateRequest): Promise<void> {
  const { source: sent } = request.params;
  const { sources } = await context.reader.listSources({}, readCall(context, request));
  const name = asciiUpperCase(sent);
  const isMain = sources.some((source) => source.name === name && source.kind === SourceKind.SOURCE_KIND_MAIN);
  if (!isMain) throw new HttpError(400, messages.invalidSyncSource(sent));
}

/** 200 even if objects were refused, as the report says; 401 when one lacked authority. */
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
