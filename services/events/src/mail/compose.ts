import { randomUUID } from 'node:crypto';
import { changeId, markOf } from '@cadastre/changes';
import type { Notification } from '@cadastre/proto/objects';
import type { SendMailOptions } from 'nodemailer';
import { bodyOf, hasRefusals, type Registry, requestBodyOf, testBodyOf } from './body.js';

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
  const linkTo = (page: string) =>
    sender.baseUrl === undefined || unsubscribeToken === ''
      ? undefined
      : `${sender.baseUrl}/notifications/${page}/${unsubscribeToken}`;
  const link = linkTo('unsubscribe');
  const serials = serialsOf(notification);
  const replyTo = confirms ? '' : notification.replyTo;
  const { headers, ...mail } = mailTo(address, source, sender);
  return {
    ...mail,
    ...(replyTo !== '' && { replyTo: { name: '', address: replyTo } }),
    subject: subjectOf(notification, sender),
    messageId: messageId(source, `${changeId(id, markOf(instant))}${confirms ? '.confirm' : ''}`, sender),
    headers: {
      ...headers,
      ...(serials !== '' && { 'X-Registry-Serial': serials }),
      ...(link !== undefined && {
        'List-Unsubscribe': `<${link}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    text: confirms
      ? requestBodyOf(notification, sender, { confirm: linkTo('confirm'), unsubscribe: link })
      : bodyOf(notification, sender, link),
  };
}

/** The mail by which an operator sees whether mails arrive. */
export function composeTest(address: string, source: string, sender: Sender): SendMailOptions {
  return {
    ...mailTo(address, source, sender),
    subject: `Test of the mails of the ${sender.name} database`,
    messageId: messageId(source, `test.${randomUUID()}`, sender),
    text: testBodyOf(sender),
  };
}

/** What all mails to an address have in common. */
function mailTo(address: string, source: string, sender: Sender) {
  return {
    ...addressed(address, sender),
    headers: {
      'Auto-Submitted': 'auto-generated',
      Precedence: 'bulk',
      'List-Id': `<${source.toLowerCase()}.notifications.${domainOf(sender.from)}>`,
    },
  };
}

/** The sender and the only recipient of a mail, which has nothing but its text. */
export function addressed(address: string, { name, from }: Sender) {
  const to = { name: '', address };
  return {
    from: { name: `${name} registry`, address: from },
    to,
    envelope: { from, to },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function messageId(source: string, name: string, { from }: Sender): string {
  return `<${source.toLowerCase()}.${name}@${domainOf(from)}>`;
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

/** The domain of an address. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
