import { EventEmitter, once } from 'node:events';
import {
  type ChangeEntry,
  ChangeFeedServiceService,
  LookupStatus,
  ObjectReaderServiceService,
  SourceKind,
} from '@cadastre/proto/objects';
import { Operation, type RegistryObject } from '@cadastre/proto/registry';
import { type ObjectTypeName, objectTypeNames, parseObject, primaryKey } from '@cadastre/rpsl';
import { type Handlers, type Implementation, implement, ServiceError } from '@cadastre/service';
import { inMemoryClient } from '@cadastre/service/testing';
import type { Objects } from '../src/objects-client.js';

/** The objects service over a list of changes of one source, as far as publishing uses it. */
export interface Registry {
  readonly objects: Objects;
  /** Serves it by gRPC. */
  readonly implementations: readonly Implementation[];
  readonly source: string;
  /** Stores objects, which a blank line separates. */
  put(texts: string): void;
  remove(type: string, key: string): void;
  /** Drops the changes after a serial, like a restored backup. */
  rewind(serial: number): void;
  /** Removes the changes up to a serial, because of their age. */
  forget(serial: number): void;
  /** The texts of all objects. */
  current(): string[];
  /** The types of each requested export. */
  readonly exported: readonly (readonly string[])[];
}

const pageSize = 500;

/** Makes an empty registry. */
export function createRegistry(source = 'TEST'): Registry {
  const changed = new EventEmitter().setMaxListeners(0);
  const changes: ChangeEntry[] = [];
  const exported: (readonly string[])[] = [];
  let forgotten = 0;
  let seconds = 0;
  const stateAt = (serial: number) => {
    const states = new Map(changes.slice(0, serial).map((change) => [nameOf(change.object!), change]));
    return [...states.values()].flatMap((change) => (change.operation === Operation.OPERATION_UPDATE ? [change] : []));
  };
  const newest = () => ({ serial: BigInt(changes.length), instant: changes.at(-1)?.instant });
  const record = (operation: Operation, object: RegistryObject) => {
    changes.push({ serial: BigInt(changes.length + 1), operation, object, instant: new Date(1_000 * ++seconds) });
    changed.emit('change');
  };
  const reads: Partial<Handlers<typeof ObjectReaderServiceService>> = {
    listSources: async () => ({ sources: [{ name: source, kind: SourceKind.SOURCE_KIND_MAIN, ...newest() }] }),
    async *exportObjects({ source: requested, types, asOf }) {
      if (requested !== source) throw new ServiceError('invalid', `unknown source ${requested}`);
      exported.push(types);
      const point = asOf?.point;
      const serial = point?.$case === 'serial' ? Number(point.value) : changes.length;
      yield { serial: BigInt(serial), instant: changes[serial - 1]?.instant, objects: [], exact: true };
      const objects = stateAt(serial)
        .map(({ object }) => object!)
        .filter(({ type }) => types.length === 0 || types.includes(type))
        .sort((one, other) => orderOf(one) - orderOf(other));
      for (let at = 0; at < objects.length; at += pageSize) {
        yield { serial: 0n, objects: objects.slice(at, at + pageSize) };
      }
    },
    batchLookupPast: async ({ lookups }) => ({
      answers: lookups.map(({ key, moment }) => {
        const serial = moment!.point!.value as bigint;
        const found = stateAt(Number(serial)).find(({ object }) => nameOf(object!) === nameOf(key!));
        if (found === undefined) return { status: LookupStatus.LOOKUP_STATUS_NOT_FOUND, serial };
        return { status: LookupStatus.LOOKUP_STATUS_FOUND, serial, object: found.object };
      }),
    }),
  };
  const watching: Partial<Handlers<typeof ChangeFeedServiceService>> = {
    async *watch({ source: requested, afterSerial, afterInstant }, { signal }) {
      if (requested !== source) throw new ServiceError('invalid', `unknown source ${requested}`);
      let after = Number(afterSerial);
      if (after > changes.length || after < forgotten) throw new ServiceError('out-of-range', 'no such serial');
      const instant = changes[after - 1]?.instant;
      if (afterInstant && instant && afterInstant.getTime() !== instant.getTime()) {
        throw new ServiceError('out-of-range', 'restored');
      }
      while (!signal.aborted) {
        const page = changes.slice(after, after + pageSize);
        after += page.length;
        if (page.length > 0) yield { changes: page, serial: BigInt(after) };
        else await once(changed, 'change', { signal }).catch(() => {});
      }
    },
  };
  const reader = inMemoryClient(ObjectReaderServiceService, reads);
  const feed = inMemoryClient(ChangeFeedServiceService, watching);
  return {
    implementations: [
      implement(ObjectReaderServiceService, reads as Handlers<typeof ObjectReaderServiceService>),
      implement(ChangeFeedServiceService, watching as Handlers<typeof ChangeFeedServiceService>),
    ],
    objects: { reader, feed, loader: { load: unused }, mirrorWriter: { applyMirrorChanges: unused }, close() {} },
    source,
    exported,
    put(texts) {
      for (const text of texts.trim().split(/\n\n+/)) {
        const object = registryObject(source, `${text}\n`);
        const revision = changes.filter((change) => nameOf(change.object!) === nameOf(object)).length + 1;
        record(Operation.OPERATION_UPDATE, { ...object, revision });
      }
    },
    remove(type, key) {
      const last = changes.findLast(({ object }) => nameOf(object!) === nameOf({ type, key }))!;
      record(Operation.OPERATION_DELETE, last.object!);
    },
    rewind(serial) {
      changes.length = serial;
    },
    forget(serial) {
      forgotten = serial;
    },
    current: () => stateAt(changes.length).map(({ object }) => object!.text),
  };
}

function unused(): never {
  throw new ServiceError('internal', 'not used');
}

function orderOf({ type }: RegistryObject): number {
  return objectTypeNames.indexOf(type as ObjectTypeName);
}

function nameOf({ type, key }: { type: string; key: string }): string {
  return `${type} ${key.toLowerCase()}`;
}

function registryObject(source: string, text: string): RegistryObject {
  const parsed = parseObject(text);
  if (!parsed.ok) throw new Error(`does not parse: ${text}`);
  const key = primaryKey(parsed.object);
  if (!('shown' in key)) throw new Error(`has no key: ${text}`);
  const serial = 0n;
  return { source, type: parsed.object.type, key: key.shown, text, revision: 1, serial, contacts: [], tags: [] };
}
