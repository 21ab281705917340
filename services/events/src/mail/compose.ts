import type { Notification } from '@cadastre/proto/objects';
import type { SendMailOptions } from 'nodemailer';
import { bodyOf, type Registry, tellsOfRefusals } from './body.js';

/** Who sends mails. */
export interface Sender extends Registry {
  readonly from: string;
}

/**
 * The mail of a notification. The same notification always has the same Message-ID, so that a reader who gets it twice
 * can tell.
 */
export function composeMail(notification: Notification, sender: Sender): SendMailOptions {
  const { id, address, source, replyTo, unsubscribeToken } = notification;
  const host = sender.from.slice(sender.from.lastIndexOf('@') + 1);
  const link =
    sender.baseUrl === undefined || unsubscribeToken === ''
      ? undefined
      : `${sender.baseUrl}/notifications/unsubscribe/${unsubscribeToken}`;
  return {
    from: { name: `${sender.name} registry`, address: sender.from },
    to: { name: '', address },
    envelope: { from: sender.from, to: address },
    ...(replyTo !== '' && { replyTo: { name: '', address: replyTo } }),
    subject: tellsOfRefusals(notification)
      ? `${sender.name} database updates, auth error notification`
      : `Notification of ${sender.name} database changes`,
    messageId: `<${source.toLowerCase()}.${id}@${host}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      Precedence: 'bulk',
      ...(link !== undefined && {
        'List-Unsubscribe': `<${link}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    text: bodyOf(notification, sender, link),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
