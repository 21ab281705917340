import type { Notification } from '@cadastre/proto/objects';
import type { SendMailOptions } from 'nodemailer';
import { bodyOf, type Registry, replyToOf, requestsOf, tellsOfRefusals } from './body.js';

/** Local parts of the addresses to which mails come back. */
export const mailboxes = { bounce: 'bounce', unsubscribe: 'unsubscribe' } as const;

/** Who sends mails. */
export interface Sender extends Registry {
  readonly from: string;
  /** Domain of the addresses to which mails come back; undefined when nobody reads them. */
  readonly bouncesDomain: string | undefined;
}

/**
 * The mail of a notification. The same notification always has the same Message-ID, so that a reader who gets it twice
 * can tell.
 */
export function composeMail(notification: Notification, sender: Sender): SendMailOptions {
  const { id, address, source, unsubscribeToken, bounceToken = '' } = notification;
  const host = sender.from.slice(sender.from.lastIndexOf('@') + 1);
  const link =
    sender.baseUrl === undefined || unsubscribeToken === ''
      ? undefined
      : `${sender.baseUrl}/notifications/unsubscribe/${unsubscribeToken}`;
  const bounces = bounceToken === '' ? undefined : sender.bouncesDomain;
  const unsubscribe = [
    ...(link === undefined ? [] : [`<${link}>`]),
    ...(bounces === undefined ? [] : [`<mailto:${mailboxes.unsubscribe}@${bounces}?subject=${unsubscribeToken}>`]),
  ];
  const serials = serialsOf(notification);
  const replyTo = replyToOf(notification);
  return {
    from: { name: `${sender.name} registry`, address: sender.from },
    to: { name: '', address },
    envelope: {
      from: bounces === undefined ? sender.from : `${mailboxes.bounce}+${bounceToken}@${bounces}`,
      to: { name: '', address },
    },
    ...(replyTo !== '' && { replyTo: { name: '', address: replyTo } }),
    subject: tellsOfRefusals(notification)
      ? `${sender.name} database updates, auth error notification`
      : `Notification of ${sender.name} database changes`,
    messageId: `<${source.toLowerCase()}.${id}@${host}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      Precedence: 'bulk',
      ...(serials !== '' && { 'X-Registry-Serial': serials }),
      ...(unsubscribe.length > 0 && { 'List-Unsubscribe': unsubscribe.join(', ') }),
      ...(link !== undefined && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
    text: bodyOf(notification, sender, link),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The first and the last serial of the changes that a mail tells; empty when all were refused. */
function serialsOf(notification: Notification): string {
  const serials = requestsOf(notification).flatMap(({ changes }) => changes.flatMap(({ serial }) => serial ?? []));
  const sorted = serials.sort((a, b) => Number(a - b));
  return [...new Set([sorted[0], sorted.at(-1)])].join('-');
}
