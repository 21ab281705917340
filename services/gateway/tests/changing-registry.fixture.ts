import type { IncomingMessage } from 'node:http';
import { ChangeKind, type ListedChange, LookupStatus, type WatchResponse } from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import { ServiceError } from '@cadastre/service';
import { type Backends, exampleReader, mntner } from './gateway.fixture.js';

/** A registry with the source TEST, whose changes a test makes. */
export interface ChangingRegistry {
  readonly backends: Backends;
  /** Adds changes after the newest one and announces them together. */
  change(...changes: Partial<ListedChange>[]): void;
  /** The objects that lookups find, by their keys. */
  readonly objects: Map<string, RegistryObject>;
  /** Removes the changes up to a serial. */
  remove(upTo: bigint): void;
  /** Goes back to the state of a serial, and breaks the feed. Later changes are an hour newer. */
  restore(to: bigint): void;
  /** Makes every page fail, or not. */
  setAvailable(isAvailable: boolean): void;
  /** The serials of all requests for pages. */
  readonly pages: bigint[];
  /** Keys of all lookups. */
  readonly lookups: string[];
  /** The maximum number of concurrent requests for pages so far. */
  maxAtOnce(): number;
}

/** An object as a lookup finds it. */
export function registryObject(type: string, key: string, revision: number, more = ''): RegistryObject {
  const name = type === 'role' ? 'role:           Example\nnic-hdl' : type;
  const text = `${name}:        ${key}\n${more}mnt-by:         EXAMPLE-MNT\nsource:         TEST # Filtered\n`;
  return { ...mntner, type, key, revision, text, contacts: [] };
}

const instant = new Date('2026-01-02T03:04:05.678Z');

/** Makes the registry with this number of changes of EXAMPLE-MNT. */
export function changingRegistry(count = 0): ChangingRegistry {
  const changes: ListedChange[] = [];
  const objects = new Map<string, RegistryObject>();
  const pages: bigint[] = [];
  const lookups: string[] = [];
  const waiting = new Set<() => void>();
  let removed = 0n;
  let restores = 0;
  let isAvailable = true;
  let running = 0;
  let maxRunning = 0;
  const add = (change: Partial<ListedChange>) => {
    const serial = BigInt(changes.length + 1);
    const kind = ChangeKind.CHANGE_KIND_MODIFIED;
    const at = new Date(instant.getTime() + 3_600_000 * restores);
    const rest = { revision: 1, instant: at, maintainers: ['EXAMPLE-MNT'], maintainersIncomplete: false };
    changes.push({ serial, kind, type: 'mntner', key: 'EXAMPLE-MNT', ...rest, ...change });
  };
  for (let turn = 0; turn < count; turn++) add({});
  const newest = () => BigInt(changes.length);
  return {
    objects,
    pages,
    lookups,
    maxAtOnce: () => maxRunning,
    change(...more) {
      more.forEach(add);
      for (const wake of waiting) wake();
    },
    remove(upTo) {
      removed = upTo;
    },
    restore(to) {
      changes.length = Number(to);
      restores++;
      for (const wake of waiting) wake();
    },
    setAvailable(available) {
      isAvailable = available;
    },
    backends: {
      reader: {
        ...exampleReader,
        batchLookup: async (request) => {
          const answers = request.lookups.map(({ key, view }) => {
            lookups.push(key!.key);
            const object = view === View.VIEW_FILTERED ? objects.get(key!.key) : undefined;
            return object
              ? { status: LookupStatus.LOOKUP_STATUS_FOUND, object }
              : { status: LookupStatus.LOOKUP_STATUS_NOT_FOUND };
          });
          return { answers };
        },
      },
      feed: {
        async *watch({ source }, { signal }): AsyncGenerator<WatchResponse> {
          for (const before = restores; ; ) {
            yield { changes: [], serial: source === 'TEST' ? newest() : 0n };
            const { promise, resolve } = Promise.withResolvers<void>();
            waiting.add(resolve);
            signal.addEventListener('abort', () => resolve());
            await promise;
            waiting.delete(resolve);
            if (signal.aborted || restores !== before) return;
          }
        },
        listChanges: async ({ source, afterSerial: after }) => {
          if (!isAvailable) throw new ServiceError('unavailable', 'away');
          pages.push(after);
          maxRunning = Math.max(maxRunning, ++running);
          await new Promise(setImmediate);
          running--;
          if (source !== 'TEST') return { changes: [], serial: after, newest: 0n, removed: false };
          if (after < removed) return { changes: [], serial: after, newest: newest(), removed: true };
          const page = changes.slice(Number(after), Number(after) + 500);
          return { changes: page, serial: page.at(-1)?.serial ?? after, newest: newest(), removed: false };
        },
      },
    },
  };
}

/** The text of a stream so far. */
export function gather(response: IncomingMessage): { readonly text: string; readonly isEnded: boolean } {
  const gathered = { text: '', isEnded: false };
  response.setEncoding('utf8').on('data', (piece: string) => {
    gathered.text += piece;
  });
  const end = () => {
    gathered.isEnded = true;
  };
  response.on('end', end).on('error', end);
  return gathered;
}

/** The serials of the events in a text. */
export function serialsIn(text: string): number[] {
  return [...text.matchAll(/^id: (\d+)-\w+\nevent: object/gm)].map(([, id]) => Number(id));
}
