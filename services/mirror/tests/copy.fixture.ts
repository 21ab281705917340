import {
  type ApplyMirrorChangesRequest,
  BulkLoadServiceService,
  DeletionRefusal,
  DumpEncoding,
  type LoadRequest,
  type LoadResponse,
  MirrorWriteServiceService,
} from '@cadastre/proto/objects';
import { parseObject, primaryKey, splitDump } from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service';
import { inMemoryClient } from '@cadastre/service/testing';
import type { Objects } from '../src/objects-client.js';

/** The objects service with one copy, in memory, as far as followers need it. */
export interface Copy extends Pick<Objects, 'loader' | 'mirrorWriter'> {
  /** Texts by type and key. */
  readonly objects: Map<string, string>;
  /** Number of calls that changed something or could have. */
  readonly calls: string[];
  /** Maximum changes of a call. */
  maxChanges: number;
}

export function createCopy(): Copy {
  const objects = new Map<string, string>();
  const copy = { objects, calls: [] as string[], maxChanges: 200_000 };

  async function* load(requests: AsyncIterable<LoadRequest>): AsyncGenerator<LoadResponse> {
    const { settings, text } = await received(requests);
    const next = new Map<string, string>();
    let rejected = 0n;
    for await (const entry of splitDump(once(text))) {
      const named = nameOf(entry.text);
      if (named === undefined) rejected++;
      else next.set(named, entry.text);
    }
    const sourceObjects = BigInt(objects.size);
    const deletes = BigInt([...objects.keys()].filter((name) => !next.has(name)).length);
    const summary = { ...summaryOf(next), rejected, deleted: deletes };
    const reason = refusal({ next: next.size, deletes, sourceObjects, allowed: settings.allowedDeletes });
    copy.calls.push('load');
    if (reason !== undefined) {
      yield { news: { $case: 'refused', value: { reason, deletes, sourceObjects, loaded: summary } } };
      return;
    }
    objects.clear();
    for (const [name, object] of next) objects.set(name, object);
    yield { news: { $case: 'summary', value: summary } };
  }

  function summaryOf(next: ReadonlyMap<string, string>) {
    const created = BigInt([...next.keys()].filter((name) => !objects.has(name)).length);
    const modified = BigInt([...next].filter(([name, text]) => objects.has(name) && objects.get(name) !== text).length);
    const unchanged = BigInt(next.size) - created - modified;
    return { created, modified, unchanged, serial: 0n, danglingMaintainers: 0n, danglingExamples: [] };
  }

  async function applyMirrorChanges(requests: AsyncIterable<ApplyMirrorChangesRequest>) {
    const changes = [];
    for await (const { part } of requests) if (part?.$case === 'changes') changes.push(...part.value.changes);
    if (changes.length > copy.maxChanges) throw new ServiceError('out-of-range', 'too many changes');
    const counts = { created: 0n, modified: 0n, unchanged: 0n, deleted: 0n, missing: 0n, rejected: 0n };
    for (const { change } of changes) {
      if (change?.$case === 'put') {
        const name = nameOf(change.value);
        if (name === undefined) counts.rejected++;
        else if (objects.get(name) === change.value) counts.unchanged++;
        else {
          counts[objects.has(name) ? 'modified' : 'created']++;
          objects.set(name, change.value);
        }
      } else if (change?.$case === 'delete') {
        const isDeleted = objects.delete(`${change.value.type} ${change.value.primaryKey}`.toLowerCase());
        counts[isDeleted ? 'deleted' : 'missing']++;
      }
    }
    copy.calls.push('apply');
    return { ...counts, rejections: [], serial: 0n };
  }

  return Object.assign(copy, {
    loader: inMemoryClient(BulkLoadServiceService, { load }),
    mirrorWriter: inMemoryClient(MirrorWriteServiceService, { applyMirrorChanges }),
  });
}

async function received(requests: AsyncIterable<LoadRequest>) {
  let settings: Extract<LoadRequest['part'], { $case: 'settings' }>['value'] | undefined;
  const pieces: Buffer[] = [];
  for await (const { part } of requests) {
    if (part?.$case === 'settings') settings = part.value;
    else if (part?.$case === 'data') pieces.push(part.value);
  }
  const encoding = settings!.encoding === DumpEncoding.DUMP_ENCODING_LATIN1 ? 'latin1' : 'utf8';
  return { settings: settings!, text: Buffer.concat(pieces).toString(encoding) };
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

function nameOf(text: string): string | undefined {
  const parsed = parseObject(text);
  const key = parsed.ok ? primaryKey(parsed.object) : undefined;
  return parsed.ok && key !== undefined && 'folded' in key ? `${parsed.object.type} ${key.folded}` : undefined;
}

interface Outcome {
  readonly next: number;
  readonly deletes: bigint;
  readonly sourceObjects: bigint;
  readonly allowed: bigint | undefined;
}

/** The guard of the objects service for loads that are all or nothing (decision W16). */
function refusal({ next, deletes, sourceObjects, allowed }: Outcome): DeletionRefusal | undefined {
  if (deletes === 0n) return undefined;
  if (allowed !== undefined) return deletes > allowed ? DeletionRefusal.DELETION_REFUSAL_TOO_MANY : undefined;
  if (next === 0) return DeletionRefusal.DELETION_REFUSAL_NO_OBJECT;
  return deletes * 10n > sourceObjects ? DeletionRefusal.DELETION_REFUSAL_TOO_MANY : undefined;
}
