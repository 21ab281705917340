import { LookupStatus, type WatchResponse } from '@cadastre/proto/objects';
import { Operation, type RegistryObject, View } from '@cadastre/proto/registry';
import {
  contains,
  filterObject,
  firstValueOf,
  foldKey,
  isObjectTypeName,
  type ObjectTypeName,
  parseKey,
  parseObject,
  parseResource,
  primaryKey,
  printObject,
  type Resource,
  rangeOf,
} from '@cadastre/rpsl';
import { failureMessage, failureOf, ServiceError } from '@cadastre/service';
import { type Backends, exampleReader } from './gateway.fixture.js';

/** A registry in memory with the source TEST, whose objects a test stores. */
export interface RdapRegistry {
  readonly backends: Backends;
  /** Stores objects, or replaces those with the same keys; `announce` sends them to the change feed. */
  store(...texts: string[]): RegistryObject[];
  delete(type: ObjectTypeName, key: string): RegistryObject;
  /** Sends a change of an object to the change feed. */
  announce(...objects: RegistryObject[]): void;
  /** The calls of other services. */
  readonly calls: string[];
  /** Makes questions for abuse contacts fail, or not. */
  setGeoAvailable(isAvailable: boolean): void;
}

interface StoredObject {
  readonly object: RegistryObject;
  readonly range: Resource | undefined;
}

/** Makes a registry of these objects. */
export function rdapRegistry(...texts: string[]): RdapRegistry {
  const objects = new Map<string, StoredObject>();
  const calls: string[] = [];
  const waiting = new Set<(response: WatchResponse) => void>();
  let isGeoAvailable = true;
  let serial = 7n;

  const store = (text: string): RegistryObject => {
    const parsed = parseObject(text);
    if (!parsed.ok) throw new Error(`no object: ${text}`);
    const key = primaryKey(parsed.object);
    if ('messages' in key) throw new Error(`no key: ${text}`);
    const { type } = parsed.object;
    const before = objects.get(`${type} ${key.folded}`);
    const object: RegistryObject = {
      source: 'TEST',
      type,
      key: key.shown,
      text,
      revision: (before?.object.revision ?? 0) + 1,
      serial: serial++,
      contacts: [],
      tags: [],
    };
    objects.set(`${type} ${key.folded}`, { object, range: rangeOf(parsed.object) });
    return object;
  };
  const find = (type: string, key: string) =>
    objects.get(`${type} ${parseKey(type as ObjectTypeName, key)?.folded ?? foldKey(type as ObjectTypeName, key)}`);
  const enclosing = (type: string, requested: Resource) =>
    [...objects.values()]
      .filter(({ object, range }) => object.type === type && range !== undefined && encloses(range, requested))
      .sort((one, other) => sizeOf(one.range!) - sizeOf(other.range!));
  for (const text of texts) store(text);

  const backends: Backends = {
    reader: {
      ...exampleReader,
      batchLookup: async ({ lookups }) => {
        calls.push(`look up ${lookups.map(({ key }) => `${key!.type} ${key!.key}`).join(', ')}`);
        return {
          answers: lookups.map(({ key, view }) => {
            if (!isObjectTypeName(key!.type)) return { status: LookupStatus.LOOKUP_STATUS_UNKNOWN_TYPE };
            const found = find(key!.type, key!.key);
            if (found === undefined) return { status: LookupStatus.LOOKUP_STATUS_NOT_FOUND };
            return { status: LookupStatus.LOOKUP_STATUS_FOUND, object: seen(found.object, view) };
          }),
        };
      },
    },
    hierarchy: {
      batchFindEnclosing: async ({ resources, types, scope, maxObjects, view, reportHolding }) => {
        calls.push(`find ${resources.join(', ')}`);
        const found: RegistryObject[] = [];
        const answers = resources.map((text) => {
          const requested = parseResource(text)!;
          const own = types.flatMap((type) => {
            const all = enclosing(type, requested);
            return scope === 3
              ? all.filter(({ range }) => !same(range!, requested)).slice(0, 1)
              : all.slice(0, maxObjects);
          });
          const positions = own.map(({ object }) => found.push(seen(object, view)) - 1);
          const isInside = ({ range, object }: StoredObject) =>
            object.type === own[0]?.object.type && range !== undefined && encloses(own[0].range!, range);
          const holding = [...objects.values()].filter(isInside).length > 1;
          return { objects: [], positions, invalid: false, ...(reportHolding && { holding }) };
        });
        return { answers, objects: found, related: [] };
      },
    },
    abuseContacts: {
      batchFindAbuseContacts: async ({ resources }) => {
        calls.push(`abuse contact ${resources.join(', ')}`);
        if (!isGeoAvailable) throw new ServiceError('unavailable', 'away');
        const none = new ServiceError('not-found', [failureMessage('No abuse contact')]);
        return {
          answers: resources.map((text) => {
            const lineage = ['inetnum', 'inet6num', 'aut-num'].flatMap((type) => enclosing(type, parseResource(text)!));
            const role = lineage.map(({ object }) => firstOf(object, 'abuse-c')).find((value) => value !== undefined);
            return role ? { contact: { role, email: '', suspect: false, orgId: '' } } : { failure: failureOf(none) };
          }),
        };
      },
    },
    feed: {
      async *watch(_request, { signal }) {
        yield { changes: [], serial };
        while (!signal.aborted) {
          yield await new Promise<WatchResponse>((resolve) => {
            waiting.add(resolve);
            signal.addEventListener('abort', () => resolve({ changes: [], serial }));
          });
        }
      },
    },
  };
  return {
    backends,
    calls,
    store: (...more) => more.map(store),
    delete(type, key) {
      const { object } = find(type, key)!;
      objects.delete(`${type} ${foldKey(type, object.key)}`);
      return object;
    },
    announce(...changed) {
      const changes = changed.map((object) => ({
        serial: object.serial,
        operation: Operation.OPERATION_UPDATE,
        object: { ...object, text: '' },
      }));
      for (const report of waiting) report({ changes, serial });
      waiting.clear();
    },
    setGeoAvailable(isAvailable) {
      isGeoAvailable = isAvailable;
    },
  };
}

function seen(object: RegistryObject, view: View): RegistryObject {
  const parsed = parseObject(object.text);
  if (!parsed.ok) return object;
  return { ...object, text: printObject(filterObject(parsed.object, { unfiltered: view === View.VIEW_UNFILTERED })) };
}

function firstOf({ text }: RegistryObject, name: string): string | undefined {
  const parsed = parseObject(text);
  return parsed.ok ? firstValueOf(parsed.object, name) : undefined;
}

function encloses(outer: Resource, inner: Resource): boolean {
  if ('as' in outer) return 'as' in inner && contains(outer.as, inner.as);
  return !('as' in inner) && contains(outer, inner);
}

function same(one: Resource, other: Resource): boolean {
  return encloses(one, other) && encloses(other, one);
}

function sizeOf(range: Resource): number {
  const { first, last } = 'as' in range ? range.as : range;
  return Number(last) - Number(first);
}
