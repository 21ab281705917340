import { changeId, markOf } from '@cadastre/changes';
import type { Notification } from '@cadastre/proto/objects';
import type { SendMailOptions } from 'nodemailer';
import { bodyOf, hasRefusals, type Registry, requestBodyOf } from './body.js';

/** The sender of mails. */
export interface Sender extends Registry {
  readonly from: string;
}

/**
 * The mail of a notification. The same notification always has the same Message-ID, so that a reader recognises a
 * duplicate. After a restore to an earlier state another one gets its number, but not its time (ADR 0002).
 */
export function composeMail(notification: Notification, sender: Sender): SendMailOptions {
  const { id, instant, address, source, unsubscribeToken, confirms } = notification;
  const host = sender.from.slice(sender.from.lastIndexOf('@') + 1);
  const linkTo = (page: string) =>
    sender.baseUrl === undefined || unsubscribeToken === ''
      ? undefined
      : `${sender.baseUrl}/notifications/${page}/${unsubscribeToken}`;
  const link = linkTo('unsubscribe');
  const serials = serialsOf(notification);
  const replyTo = confirms ? '' : notification.replyTo;
  return {
    from: { name: `${sender.name} registry`, address: sender.from },
    to: { name: '', address },
    envelope: { from: sender.from, to: { name: '', address } },
    ...(replyTo !== '' && { replyTo: { name: '', address: replyTo } }),
    subject: subjectOf(notification, sender),
    messageId: `<${source.toLowerCase()}.${changeId(id, markOf(instant))}${confirms ? '.confirm' : ''}@${host}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      Precedence: 'bulk',
      'List-Id': `<${source.toLowerCase()}.notifications.${host}>`,
      ...(serials !== '' && { 'X-Registry-Serial': serials }),
      ...(link !== undefined && {
        'List-Unsubscribe': `<${link}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    text: confirms
      ? requestBodyOf(notification, sender, { confirm: linkTo('confirm'), unsubscribe: link })
      : bodyOf(notification, sender, link),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function subjectOf(notification: Notification, { name }: Sender): string {
  if (notification.confirms) return `Confirm that you want mails of the ${name} database`;
  return hasRefusals(notification)
    ? `${name} database updates, auth error notification`
    : `Notification of ${name} database changes`;
}

/** The first and the last serial of the changes in a mail; empty when all were refused. */
function serialsOf({ changes }: Notification): string {
  const sorted = changes.flatMap(({ serial }) => serial ?? []).sort((a, b) => Number(a - b));
  return [...new Set([sorted[0], sorted.at(-1)])].join('-');
}
