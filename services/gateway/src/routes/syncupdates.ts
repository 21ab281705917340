import { SourceKind } from '@cadastre/proto/objects';
import type { Principal } from '@cadastre/proto/registry';
import { decodeBody } from '../body/charset.js';
import type { Context } from '../context.js';
import { challenge, Refusal } from '../errors.js';
import { clientOf, type Exchange } from '../exchange.js';
import type { TargetOf } from '../locator.js';
import { messages } from '../messages.js';
import { textContent } from '../openapi/content.js';
import { object, type Schema, text } from '../openapi/schemas/schema.js';
import { parameter } from '../parameters.js';
import type { Answer } from '../respond.js';
import { acknowledgementText } from '../syncupdates/acknowledgement.js';
import { type AppliedUpdate, applyUpdates } from '../syncupdates/apply-updates.js';
import { type CarriedText, readCarriedText } from '../syncupdates/carried-text.js';
import { isSigned, signedBy, verifySignedText } from '../syncupdates/signed-text.js';
import { readUpdateMessage, refuseSecrets } from '../syncupdates/update-message.js';
import type { Route } from './route.js';

const query = { 'dry-run': parameter.flag('Tells what would happen, and stores nothing.') };
const form: Schema = object(
  'A form.',
  { DATA: text('The objects, as in text/plain.') },
  { NEW: text('Any value but `no`: every object must be a new one.') },
);
const signature: Schema = text('CMS SignedData with the objects inside, in DER form.', { format: 'binary' });

/** POST of RPSL text with one or many objects, signed or not (decision W9). */
export const textUpdate: Route<'syncupdates', typeof query> = {
  id: 'synchroniseUpdates',
  tag: 'Objects',
  summary: 'Write objects as text',
  doc: 'Objects as RPSL text, separated by blank lines; PGP clear-signed, CMS, or not signed. Each object is a write of its own; a line `delete: reason` deletes it. A signature is accepted once and within one hour. The report in text says what became of each object.',
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
    doc: 'The report. Also when objects were refused, unless one was for want of authority (401).',
    content: textContent,
    headers: ['CADASTRE-Serial'],
  },
  credentials: 'optional',
  answer: synchroniseUpdates,
};

type SyncExchange = Exchange<TargetOf<'syncupdates'>, typeof query>;

async function synchroniseUpdates(context: Context, exchange: SyncExchange): Promise<Answer> {
  const { 'dry-run': dryRun } = exchange.parameters;
  await requireMainSource(context, exchange);
  const carried = await readCarriedText(exchange.request.raw, context.settings.bodyBytes);
  const { text, principal, accept } = await openText(context, exchange, carried);
  const message = readUpdateMessage(text, context.settings.bodyObjects);
  const isTrial = dryRun || message.dryRun;
  if (!isTrial) await accept();
  const applied = await applyUpdates(context, message.updates, {
    source: exchange.target.source,
    principal,
    dryRun: isTrial,
    onlyNew: carried.onlyNew,
    requestId: exchange.request.id,
  });
  const report = acknowledgementText({
    host: clientOf(exchange.request).address,
    time: new Date(),
    applied,
    unreadable: message.unreadable,
    messages: exchange.notices,
    terms: context.settings.termsUrl,
    version: context.version.version,
  });
  return reportAnswer(applied, report);
}

/** What was sent. */
interface OpenedText {
  /** The text inside of signatures. */
  readonly text: string;
  /** Who asks: the signers beside whoever sent it. */
  readonly principal: Principal | undefined;
  /** Uses the signatures up, if there are any; a dry run does not. */
  accept(): Promise<void>;
}

async function openText(
  context: Context,
  { request, target, principal }: SyncExchange,
  { bytes, charset, isCms }: CarriedText,
): Promise<OpenedText> {
  if (!isCms) {
    const text = decodeBody(bytes, { charset });
    refuseSecrets(text);
    if (text.trim() === '') throw new Refusal(400, messages.dataMissing());
    if (!isSigned(text)) return { text, principal, accept: async () => {} };
  }
  const options = { deadlineMs: context.settings.writeDeadline, requestId: request.id };
  const signed = await verifySignedText(context, target.source, bytes, options);
  const text = decodeBody(signed.bytes, { charset });
  return { text, principal: signedBy(principal, signed.fingerprints), accept: signed.accept };
}

async function requireMainSource({ reader, settings }: Context, { request, target }: SyncExchange): Promise<void> {
  const options = { deadlineMs: settings.readDeadline, requestId: request.id };
  const { sources } = await reader.listSources({}, options);
  const name = target.source.toUpperCase();
  const isMain = sources.some((source) => source.name === name && source.kind === SourceKind.SOURCE_KIND_MAIN);
  if (!isMain) throw new Refusal(400, messages.invalidSyncSource(target.source));
}

/** 200 also when objects were refused: the report says so. 401 when one was for want of authority. */
function reportAnswer(applied: readonly AppliedUpdate[], report: string): Answer {
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
