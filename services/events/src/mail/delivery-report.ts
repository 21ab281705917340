import type { Email } from 'postal-mime';
import { enhancedStatus, isOfDeadMailbox } from './mailbox-status.js';

/** What a mail to the sender of a notification says: the address does not work; not this time; nothing of the kind. */
export type BounceClass = 'hard' | 'soft' | 'other';

/** Judges a mail by its delivery report (RFC 3464). Mails without one, such as answers of absent people, are `other`. */
export function bounceClassOf({ headers, attachments }: Pick<Email, 'headers' | 'attachments'>): BounceClass {
  const contentType = headers.find(({ key }) => key === 'content-type')?.value ?? '';
  const report = attachments.find(({ mimeType }) => /^message\/(?:global-)?delivery-status$/.test(mimeType));
  if (!/^multipart\/report\b/i.test(contentType) || report === undefined) return 'other';
  const classes = recipientsOf(textOf(report.content)).map(classOf);
  return (['hard', 'soft'] as const).find((one) => classes.includes(one)) ?? 'other';
}

type Fields = ReadonlyMap<string, string>;

/** The fields of each recipient, by lower-case name; the first block is about the whole mail. */
function recipientsOf(report: string): Fields[] {
  const unfolded = report.replace(/\r\n?/g, '\n').replace(/\n[ \t]+/g, ' ');
  const blocks = unfolded.split(/\n{2,}/).map((block) => {
    const fields = block.split('\n').map((line) => /^([\w-]+):[ \t]*(.*)$/.exec(line));
    return new Map(fields.flatMap((field) => (field ? [[field[1]!.toLowerCase(), field[2]!.trim()] as const] : [])));
  });
  return blocks.filter((fields) => fields.has('action'));
}

function classOf(fields: Fields): BounceClass {
  const action = fields.get('action')?.toLowerCase();
  if (action === 'delayed') return 'soft';
  if (action !== 'failed') return 'other';
  return isOfDeadMailbox(statusOf(fields)) ? 'hard' : 'soft';
}

/** The status; that of the server's reply where the field tells nothing, as with Exim. */
function statusOf(fields: Fields): string {
  const status = /^\d\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0] ?? '';
  if (status !== '5.0.0') return status;
  const [, reply = ''] = /^smtp; *(.*)$/i.exec(fields.get('diagnostic-code') ?? '') ?? [];
  return enhancedStatus(reply) ?? status;
}

function textOf(content: string | ArrayBuffer | Uint8Array): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}
