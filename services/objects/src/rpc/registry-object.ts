import { type Contact, type RegistryObject, View } from '@cadastre/proto/registry';
import { filterObject, type RpslObject } from '@cadastre/rpsl';
import { type Call, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import type { Source } from '../store/sources.js';
import { parseStored, type StoredObject } from '../store/stored-object.js';
import { type ShownText, shownText } from './shown-version.js';

/** Removes from an object what its reader may not see. */
export type Filter = (object: RpslObject, stored: StoredObject) => RpslObject;

/** Shows everything (VIEW_COMPLETE). */
const complete: Filter = (object) => object;

/** Whether the contract can express a stored object; PostgreSQL also knows infinite times, for example. */
function isSendable({ revision, serial, created, modified }: StoredObject): boolean {
  return revision >= 0 && serial >= 0n && isTime(created ?? modified) && isTime(modified);
}

function isTime(time: unknown): boolean {
  return time instanceof Date && !Number.isNaN(time.getTime());
}

/** The result of `read`; undefined, with a log line and a metric, when the stored object cannot be read. */
export function unlessUnreadable<T>(
  context: Pick<Context, 'countUnreadable'>,
  source: Source,
  stored: StoredObject,
  call: Call,
  read: () => T,
): T | undefined {
  try {
    return read();
  } catch (error) {
    reportUnreadable(context, source, stored, call, error);
    return undefined;
  }
}

/** Logs and counts a stored object that cannot be read. */
function reportUnreadable(
  context: Pick<Context, 'countUnreadable'>,
  source: Source,
  { type, key }: StoredObject,
  call: Call,
  error: unknown,
): void {
  call.logger.error({ source: source.name, type, key, err: error }, 'stored object cannot be read');
  context.countUnreadable(source.name, type);
}

/** A stored state as versions show it; undefined when it cannot be read. Throws a ServiceError on overload. */
export async function versionUnlessUnreadable(
  context: Pick<Context, 'countUnreadable' | 'versions'>,
  source: Source,
  stored: StoredObject,
  call: Call,
): Promise<RegistryObject | undefined> {
  try {
    return sentObject(source, stored, await context.versions.show(stored));
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    reportUnreadable(context, source, stored, call, error);
    return undefined;
  }
}

/** The stored objects in the form of the contract, without unreadable ones. */
export function readableObjects(
  context: Pick<Context, 'countUnreadable'>,
  source: Source,
  page: readonly StoredObject[],
  call: Call,
  filter: Filter = complete,
): RegistryObject[] {
  return page.flatMap(
    (stored) => unlessUnreadable(context, source, stored, call, () => registryObject(source, stored, filter)) ?? [],
  );
}

/** A stored object in the form of the contract. Pass `parsed` when the object was parsed already. */
export function registryObject(
  source: Source,
  stored: StoredObject,
  filter: Filter = complete,
  { contacts = [], parsed: object = parseStored(stored) }: { contacts?: Contact[]; parsed?: RpslObject } = {},
): RegistryObject {
  return sentObject(source, stored, shownText(object, filter(object, stored), stored), contacts);
}

/**
 * The visible part of a stored object, in the form of the contract. Throws for one that the contract cannot express.
 */
export function sentObject(
  source: Source,
  stored: StoredObject,
  { key, text }: ShownText,
  contacts: Contact[] = [],
): RegistryObject {
  if (!isSendable(stored))
    throw new Error(`stored object ${stored.type} ${stored.key} has impossible numbers or times`);
  return {
    source: source.name,
    type: stored.type,
    key,
    text,
    revision: stored.revision,
    serial: stored.serial,
    created: stored.created,
    lastModified: stored.modified,
    contacts,
    tags: [...stored.tags],
  };
}

/** The filter of a view. `isHolder` decides whether the caller may see the `auth` of an object (R3). */
export function filterOf(view: View, isHolder: (object: RpslObject) => boolean = () => false): Filter {
  switch (view) {
    case View.VIEW_COMPLETE:
      return complete;
    case View.VIEW_UNFILTERED:
      return (object) => filterObject(object, { unfiltered: true, showAuth: isHolder(object) });
    default:
      return (object) => filterObject(object);
  }
}

/** Callers that publish what they read, so they get no complete objects. */
export const publicCallers: readonly string[] = ['gateway', 'events', 'whois'];

/** Refuses VIEW_COMPLETE to callers that publish what they read. */
export function requireView(view: View, call: Call, publicCallers: readonly string[]): void {
  if (view === View.VIEW_COMPLETE && publicCallers.includes(call.caller)) {
    throw new ServiceError('forbidden', `Complete objects are not available to ${call.caller}`);
  }
}
