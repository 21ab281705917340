import type { Notification } from '@cadastre/proto/objects';
import type { Registry } from './body.js';

/** Links for the answer of the owner of an address; undefined without a public URL of the registry. */
interface Links {
  readonly confirm: string | undefined;
  readonly unsubscribe: string | undefined;
}

/**
 * The text of a mail that requests the confirmation of an address. It contains nothing that the account which named the
 * address could choose: otherwise anyone could send texts to strangers.
 */
export function requestBodyOf(
  { id, source }: Notification,
  { name, baseUrl, termsUrl, version }: Registry,
  { confirm, unsubscribe }: Links,
): string {
  return [
    `This is an automatic message of the ${name} database.`,
    '',
    `An object of the source ${source} names this address. It wants to tell you by mail`,
    'when objects change.',
    '',
    ...(confirm === undefined || unsubscribe === undefined
      ? ['If you want these mails, ask the registry to confirm your address.']
      : [
          `If you want these mails, open this page and confirm:\n${confirm}`,
          '',
          'If you do not, do nothing: you get no changes, and this question at most once in',
          `30 days. To never get it again:\n${unsubscribe}`,
        ]),
    '',
    `${'Notification:'.padEnd(16)}${id}`,
    ...(baseUrl === undefined ? [] : [`The ${name} database: ${baseUrl}/`, `Terms and conditions: ${termsUrl}`]),
    `Cadastre ${version}`,
    '',
  ].join('\n');
}
