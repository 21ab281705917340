import { hash } from 'node:crypto';
import type { ObjectState } from '@cadastre/proto/objects';
import type { RegistryObject } from '@cadastre/proto/registry';
import { maxRevision } from '@cadastre/query';

/** The strong validator of a body (RFC 9110 section 8.8.3). All gateways compute the same one for the same bytes. */
export function entityTag(body: Buffer): string {
  return `"${hash('sha1', body, 'base64url')}"`;
}

/**
 * The validator of a body that shows the current state of an object. It begins with that state, so that
 * `expectedStates` finds it in the tag of any representation.
 */
export function objectTag({ revision, lastModified }: RegistryObject, body: Buffer): string {
  return `"${revision}-${(lastModified?.getTime() ?? 0).toString(36)}-${entityTag(body).slice(1)}`;
}

/** Whether the client has these bytes already, by its If-None-Match (RFC 9110 section 13.1.2). */
export function hasAlready(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === '*' || tagsOf(ifNoneMatch).some((sent) => sent.endsWith(tag));
}

const stateOfTag = /^(?:W\/)?"(\d{1,10})-(-?[\da-z]{1,10})-[\w-]{27}"$/;

/**
 * The states of an object that a write with this If-Match expects (RFC 9110 section 13.1.1), one of which must match;
 * empty when it has no tag of `objectTag`, undefined when any state matches. The state counts, not the bytes: a weak
 * tag, of a compressed body, identifies it as well.
 */
export function expectedStates(ifMatch: string | undefined): ObjectState[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  return tagsOf(ifMatch).flatMap((tag) => {
    const [, revision, time] = stateOfTag.exec(tag) ?? [];
    if (revision === undefined || time === undefined || Number(revision) > maxRevision) return [];
    return [{ revision: Number(revision), lastModified: new Date(Number.parseInt(time, 36)) }];
  });
}

function tagsOf(list: string): string[] {
  return list.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
