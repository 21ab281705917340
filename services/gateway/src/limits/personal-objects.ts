import type { LimitedClient, Limiter } from '@cadastre/limits';
import type { RegistryObject } from '@cadastre/proto/registry';
import type { Stored } from '@cadastre/rdap';
import { isPerson, isPersonal, parseObject } from '@cadastre/rpsl';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.js';
import type { HttpError } from '../errors.js';
import { check, errorOf, type Limiting } from './exceeded.js';

/** Counts an object before it is shown, if it is personal. Returns the error (429) to show instead. */
export async function countIfPersonal(
  context: Limiting & Pick<Context, 'findOwn' | 'settings'>,
  { method, limitedClient, principal }: Asking,
  object: RegistryObject,
): Promise<HttpError | undefined> {
  // The reply to a HEAD shows nothing.
  if (method === 'HEAD' || !isPersonal(object, context.settings.source)) return undefined;
  if (principal !== undefined) {
    const isOwn = await context.findOwn(principal);
    const parsed = parseObject(object.text);
    if (parsed.ok && isOwn(object.source, parsed.object)) return undefined;
  }
  return errorOf(context, context.limiter.count(limitedClient, 'personal-objects'));
}

type Asking = Pick<FastifyRequest, 'method' | 'limitedClient' | 'principal'>;

/**
 * Returns whether the contact of another object may be shown with more than its handle, and counts it if it is a
 * person.
 */
export type CountContact = (contact: Stored) => boolean;

/** Counts the persons that a request shows inside other objects, each once for its client (decision W22). */
export async function contactCounter(
  { limiter, findOwn }: Pick<Context, 'limiter' | 'findOwn'>,
  { method, limitedClient, principal }: Asking,
): Promise<CountContact> {
  if (method === 'HEAD') return () => true;
  const isOwn = await findOwn(principal);
  return (contact) =>
    !isPerson(contact.object) ||
    isOwn(contact.source, contact.object) ||
    countPersonalContact(limiter, limitedClient, contactName(contact));
}

/** The name by which a contact counts once. */
export function contactName({ key, object }: Stored): string {
  return `${object.type} ${key}`;
}

/** Counts a person inside another object by its name. Returns whether the client may see it. */
export function countPersonalContact(limiter: Limiter, client: LimitedClient, name: string): boolean {
  return limiter.countOnce(client, 'personal-objects', name);
}

/** Counts a personal object before an anonymous client sees it. Throws an HttpError (429). */
export function countPersonalObject(context: Limiting, client: LimitedClient): void {
  check(context, context.limiter.count(client, 'personal-objects'));
}
