import { changeId, markOf } from '@cadastre/changes';
import type { Webhook } from '@cadastre/proto/objects';
import type { Logger } from '@cadastre/service';
import type { SendMailOptions } from 'nodemailer';
import { addressed, domainOf, type Sender } from '../mail/compose.js';
import { MailFailure, type MailTransport } from '../mail/transport.js';

/** Notifies the owners of disabled webhooks. False: the mail must be sent later. */
export function ownerMails(o: {
  /** Absent if no mails are sent. */
  readonly mail: { readonly transport: Pick<MailTransport, 'send'>; readonly sender: Sender } | undefined;
  readonly logger: Logger;
}): (webhook: Webhook, accountName: string) => Promise<boolean> {
  return async (webhook, accountName) => {
    if (o.mail === undefined || !/^[^\s@]+@[^\s@]+$/.test(accountName)) return true;
    try {
      await o.mail.transport.send(mailOf(webhook, accountName, o.mail.sender));
      return true;
    } catch (cause) {
      const failure = cause instanceof MailFailure ? cause : new MailFailure(cause);
      o.logger.warn({ webhook: webhook.id, code: failure.code }, 'a mail was not accepted');
      return failure.isPermanent;
    }
  };
}

/** The same disabled webhook always has the same Message-ID. */
function mailOf(
  { id, reason, serial, failingSince, properties }: Webhook,
  address: string,
  sender: Sender,
): SendMailOptions {
  const text = [
    `This is an automatic message of the ${sender.name} database.`,
    '',
    `A webhook of your account is disabled. ${reason}`,
    '',
    `Webhook:     ${id}`,
    `URL:         ${properties?.url}`,
    `Source:      ${properties?.source}`,
    `Serial:      ${serial}`,
    '',
    'When it is enabled again, it continues after this serial.',
    ...(sender.baseUrl === undefined ? [] : [`The ${sender.name} database: ${sender.baseUrl}/`]),
    '',
  ].join('\n');
  return {
    ...addressed(address, sender),
    subject: `A webhook of the ${sender.name} database is disabled`,
    messageId: `<webhook.${id}.${changeId(serial, markOf(failingSince))}@${domainOf(sender.from)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    text,
  };
}
