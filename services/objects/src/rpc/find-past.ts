import type { FindPastRequest, ObjectReaderServiceService, PastPlace } from '@cadastre/proto/objects';
import type { RegistryObject } from '@cadastre/proto/registry';
import { isHiddenFromVersions, isPersonal, type ObjectTypeName, parseResource } from '@cadastre/rpsl';
import { type Call, failureMessage, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { parseReadable } from '../store/parse-stored.js';
import { type KnownMoment, loadPast } from '../store/past.js';
import { type SpannedPlace, spannedKeysInside } from '../store/past-contained.js';
import { keysThatNamed } from '../store/past-referrers.js';
import { namedKey } from '../store/references.js';
import type { Source } from '../store/sources.js';
import { type Db, pageLimits, type StoredObject } from '../store/stored-object.js';
import { requireIndexed, requireSerial } from './moments.js';
import { versionUnlessUnreadable } from './registry-object.js';
import { requireSource, requireType } from './requested.js';

/** A page ends after so many statements at the latest, each of which reads a bounded number of rows. */
const maxStatements = 20;

/** A place in the result. Inside a range it has bounds, as an object of that type has. */
interface Place extends Partial<SpannedPlace> {
  readonly type: ObjectTypeName;
  readonly key: string;
  /** Whether the first level has an object before it with the same range. */
  readonly continued?: boolean;
}

/** Objects that exist or existed and may belong to the result, from a place on. */
interface Candidates {
  readonly keys: readonly Place[];
  readonly next: Place | undefined;
}

interface Question {
  /** What the registry must remember for it. */
  readonly by: Exclude<keyof Extract<KnownMoment, { outcome: 'known' }>, 'outcome' | 'serial'>;
  readonly firstLevel: boolean;
  readonly candidatesFrom: (db: Db, place: Place) => Promise<Candidates>;
  /** Whether an object, as versions show it, belongs to the result. */
  readonly isWanted: (shown: RegistryObject) => boolean;
}

export function findPast(context: Context): Handlers<typeof ObjectReaderServiceService>['findPast'] {
  return async (request, call) => {
    const source = requireSource(context.sources, request.source);
    const types = [...new Set(request.types.map(requireType))];
    const from = request.from ? requestedPlace(request.from) : startOf(types[0]);
    if (from === undefined || !types.includes(from.type)) throw new ServiceError('invalid', 'Name the types to find');
    const question = questionOf(request, source, types);
    const turns = context.turns.of(request.client || call.caller, call.signal);
    const read = () =>
      context.readCurrent({ call, sources: [source.id] }, async (db) => {
        const serial = await requireIndexed(db, source, request.asOf, context.clock(), question.by);
        const page = await pageOf(context, source, question, existing(db, source, serial, question, from), call);
        // A copy may have forgotten the moment meanwhile.
        if (source.kind !== 'main') await requireSerial(db, source, serial);
        return { objects: page.objects, serial, next: page.next && wirePlace(page.next) };
      });
    return turns.read(read);
  };
}

function questionOf({ question }: FindPastRequest, source: Source, types: readonly ObjectTypeName[]): Question {
  switch (question?.$case) {
    case 'contained':
      return contained(source, types, question.value);
    case 'referrers':
      return referrers(source, types, question.value);
    default:
      throw new ServiceError('invalid', 'Name a range or a key');
  }
}

function contained(
  source: Source,
  types: readonly ObjectTypeName[],
  { resource: text, firstLevel }: { readonly resource: string; readonly firstLevel: boolean },
): Question {
  const resource = parseResource(text);
  if (resource === undefined || 'as' in resource) {
    throw new ServiceError('invalid', [failureMessage('"%s" is not an address range', [text])]);
  }
  let width: bigint | undefined;
  return {
    by: 'hasRanges',
    firstLevel,
    async candidatesFrom(db, { type, key, lower, upper }) {
      const place = lower === undefined ? undefined : { key, lower, ...(upper !== undefined && { upper }) };
      const { keys, next, ...found } = await spannedKeysInside(db, source.id, type, resource, place, width);
      width = found.width;
      return {
        keys: keys.map((one) => ({ type, ...one })),
        next: next ? { type, ...next } : startOf(types[types.indexOf(type) + 1]),
      };
    },
    isWanted: () => true,
  };
}

function referrers(
  source: Source,
  types: readonly ObjectTypeName[],
  { key, attributes }: { readonly key: string; readonly attributes: readonly string[] },
): Question {
  const named = attributes.some(isHiddenFromVersions) ? undefined : namedKey(key, attributes);
  if (named === undefined) throw new ServiceError('invalid', 'The past cannot be searched by these attributes');
  const { hashes, isNamedBy } = named;
  return {
    by: 'hasReferences',
    firstLevel: false,
    candidatesFrom: (db, from) => keysThatNamed(db, source.id, { hashes, types, from }),
    // Nobody gets a list of those who worked somewhere in the past.
    isWanted(shown) {
      const isHidden = source.kind === 'main' && isPersonal(shown, source.name);
      const object = isHidden ? undefined : parseReadable(shown.text);
      return object !== undefined && isNamedBy(object);
    },
  };
}

function startOf(type: ObjectTypeName | undefined): Place | undefined {
  return type && { type, key: '' };
}

/** What one statement found. */
interface Part {
  readonly found: readonly { readonly place: Place; readonly stored: StoredObject }[];
  /** Where it goes on; undefined at the end. */
  readonly next: Place | undefined;
}

/** The candidates that existed at a serial and have a text, and with `firstLevel` lie in no other one. */
async function* existing(
  db: Db,
  source: Source,
  serial: bigint,
  { firstLevel, candidatesFrom }: Question,
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

/** Whether a place lies in an object of the first level, so that what is there does not belong to it. */
function isInside(place: Place, outer: Place | undefined): boolean {
  return isBefore(place, outer) && !isSameRange(place, outer);
}

function isBefore({ type, lower }: Place, outer: Place | undefined): outer is Place {
  return outer?.upper !== undefined && type === outer.type && lower !== undefined && lower < outer.upper;
}

function isSameRange({ lower, upper }: Place, outer: Place): boolean {
  return lower === outer.lower && upper === outer.upper;
}

/** The place, or behind the last object of the first level if it lies in that. */
function onward(place: Place | undefined, outer: Place | undefined): Place | undefined {
  if (place === undefined || !isBefore(place, outer)) return place;
  if (isSameRange(place, outer)) return { ...place, continued: true };
  return { type: place.type, key: '', lower: outer.upper! };
}

async function pageOf(
  context: Context,
  source: Source,
  { isWanted }: Question,
  parts: AsyncIterable<Part>,
  call: Call,
): Promise<{ objects: RegistryObject[]; next: Place | undefined }> {
  const objects: RegistryObject[] = [];
  let bytes = 0;
  let statements = 0;
  for await (const { found, next } of parts) {
    for (const { place, stored } of found) {
      const object = await versionUnlessUnreadable(context, source, stored, call);
      if (object === undefined || !isWanted(object)) continue;
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
