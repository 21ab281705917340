import type { ObjectReaderServiceService, PastPlace } from '@cadastre/proto/objects';
import type { RegistryObject } from '@cadastre/proto/registry';
import { type ObjectTypeName, parseResource } from '@cadastre/rpsl';
import { type Call, failureMessage, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { type SpannedPlace, spannedKeysInside } from '../store/former-spans.js';
import { loadPast } from '../store/past.js';
import type { Source } from '../store/sources.js';
import { type Db, pageLimits, type StoredObject } from '../store/stored-object.js';
import { requireRanges, requireSerial } from './moments.js';
import { versionUnlessUnreadable } from './registry-object.js';
import { requireSource, requireType } from './requested.js';

/** Maximum statements of a page; each reads a bounded number of rows. */
const maxStatements = 20;

/** A position in the result, with the bounds of an object; without bounds the start of a type. */
interface Place extends Partial<SpannedPlace> {
  readonly type: ObjectTypeName;
  readonly key: string;
  /** Whether the first level has an object before it with the same range. */
  readonly continued?: boolean;
}

/** Objects that exist or existed and may belong to the result, from a position on. */
interface Candidates {
  readonly keys: readonly Place[];
  readonly next: Place | undefined;
}

type CandidatesFrom = (db: Db, place: Place) => Promise<Candidates>;

export function findPast(context: Context): Handlers<typeof ObjectReaderServiceService>['findPast'] {
  return async (request, call) => {
    const source = requireSource(context.sources, request.source);
    const types = [...new Set(request.types.map(requireType))];
    const from = request.from ? requestedPlace(request.from) : startOf(types[0]);
    if (from === undefined || !types.includes(from.type)) throw new ServiceError('invalid', 'Name the types to find');
    if (request.contained === undefined) throw new ServiceError('invalid', 'Name a range');
    const { resource, firstLevel } = request.contained;
    const candidatesFrom = candidatesInside(source, types, resource);
    const turns = context.turns.of(request.client || call.caller, call.signal);
    const read = () =>
      context.readCurrent({ call, sources: [source.id] }, async (db) => {
        const serial = await requireRanges(db, source, request.asOf, context.clock());
        const parts = existing({ db, source, serial, firstLevel, candidatesFrom }, from);
        const page = await pageOf(context, source, parts, call);
        // Meanwhile a copy may have removed the states of this moment.
        if (source.kind !== 'main') await requireSerial(db, source, serial);
        return { objects: page.objects, serial, next: page.next && wirePlace(page.next) };
      });
    return turns.read(read);
  };
}

function candidatesInside(source: Source, types: readonly ObjectTypeName[], text: string): CandidatesFrom {
  const resource = parseResource(text);
  if (resource === undefined || 'as' in resource) {
    throw new ServiceError('invalid', [failureMessage('"%s" is not an address range', [text])]);
  }
  let width: bigint | undefined;
  return async (db, { type, key, lower, upper }) => {
    const place = lower === undefined ? undefined : { key, lower, ...(upper !== undefined && { upper }) };
    const { keys, next, ...found } = await spannedKeysInside(db, source.id, type, resource, place, width);
    width = found.width;
    return {
      keys: keys.map((one) => ({ type, ...one })),
      next: next ? { type, ...next } : startOf(types[types.indexOf(type) + 1]),
    };
  };
}

function startOf(type: ObjectTypeName | undefined): Place | undefined {
  return type && { type, key: '' };
}

/** The result of one statement. */
interface Part {
  readonly found: readonly { readonly place: Place; readonly stored: StoredObject }[];
  /** Where the next one begins; undefined at the end. */
  readonly next: Place | undefined;
}

interface PastSearch {
  readonly db: Db;
  readonly source: Source;
  readonly serial: bigint;
  readonly firstLevel: boolean;
  readonly candidatesFrom: CandidatesFrom;
}

/**
 * The candidates that existed at a serial and have a text; with `firstLevel`, only those that no other one contains.
 */
async function* existing(
  { db, source, serial, firstLevel, candidatesFrom }: PastSearch,
  from: Place,
): AsyncGenerator<Part> {
  let outer = from.continued ? from : undefined;
  for (let place: Place | undefined = from; place !== undefined; ) {
    const { keys, next } = await candidatesFrom(db, place);
    yield { found: [], next: onward(keys[0] ?? next, outer) };
    for (let at = 0; at < keys.length; ) {
      const ids = keys.slice(at, at + pageLimits.objects).map(({ type, key }) => ({ sourceId: source.id, type, key }));
      const states = await loadPast(
        db,
        ids.map((id) => ({ id, moment: { serial } })),
        pageLimits.bytes,
      );
      const found = [];
      for (const state of states) {
        if (state.outcome === 'later') break;
        const candidate = keys[at++]!;
        if (state.outcome !== 'found' || isInside(candidate, outer)) continue;
        const continued = outer !== undefined && isSameRange(candidate, outer);
        found.push({ place: { ...candidate, continued }, stored: state.stored });
        if (firstLevel) outer = candidate;
      }
      while (at < keys.length && isInside(keys[at]!, outer)) at++;
      yield { found, next: onward(at < keys.length ? keys[at]! : next, outer) };
    }
    place = onward(next, outer);
  }
}

/** Whether a position lies in an object of the first level, so that the objects there do not belong to it. */
function isInside(place: Place, outer: Place | undefined): boolean {
  return isBefore(place, outer) && !isSameRange(place, outer);
}

function isBefore({ type, lower }: Place, outer: Place | undefined): outer is Place {
  return outer?.upper !== undefined && type === outer.type && lower !== undefined && lower < outer.upper;
}

function isSameRange({ lower, upper }: Place, outer: Place): boolean {
  return lower === outer.lower && upper === outer.upper;
}

/** The position, or the one behind the last object of the first level if it lies in that. */
function onward(place: Place | undefined, outer: Place | undefined): Place | undefined {
  if (place === undefined || !isBefore(place, outer)) return place;
  if (isSameRange(place, outer)) return { ...place, continued: true };
  return { type: place.type, key: '', lower: outer.upper! };
}

async function pageOf(
  context: Context,
  source: Source,
  parts: AsyncIterable<Part>,
  call: Call,
): Promise<{ objects: RegistryObject[]; next: Place | undefined }> {
  const objects: RegistryObject[] = [];
  let bytes = 0;
  let statements = 0;
  for await (const { found, next } of parts) {
    for (const { place, stored } of found) {
      const object = await versionUnlessUnreadable(context, source, stored, call);
      if (object === undefined) continue;
      bytes += object.text.length;
      const isFull = objects.length === pageLimits.objects || bytes > pageLimits.bytes;
      if (isFull && objects.length > 0) return { objects, next: place };
      objects.push(object);
    }
    if (++statements === maxStatements) return { objects, next };
  }
  return { objects, next: undefined };
}

function requestedPlace({ type, key, first, last, continued }: PastPlace): Place {
  const lower = numberIn(first);
  const beyond = numberIn(last);
  return {
    ...{ type: requireType(type), key, continued },
    ...(lower !== undefined && { lower }),
    ...(beyond !== undefined && { upper: beyond + 1n }),
  };
}

/** Undefined for an empty text. */
function numberIn(text: string): bigint | undefined {
  if (text === '') return undefined;
  if (!/^\d{1,39}$/.test(text)) throw new ServiceError('invalid', 'The place is not one of a result');
  return BigInt(text);
}

function wirePlace({ type, key, lower, upper, continued = false }: Place): PastPlace {
  const last = upper === undefined ? '' : String(upper - 1n);
  return { type, key, first: lower === undefined ? '' : String(lower), last, continued };
}
