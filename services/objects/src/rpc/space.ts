import type { HierarchyServiceService, SpaceObject } from '@cadastre/proto/objects';
import {
  firstValueOf,
  foldKey,
  formatPrefix,
  formatRange,
  parseResource,
  type RpslObject,
  referencesOf,
  shownKey,
  spaceUse,
} from '@cadastre/rpsl';
import { type Call, duringCall, failureMessage, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { findEnclosing } from '../store/hierarchy.js';
import { loadInParts } from '../store/objects.js';
import type { Source } from '../store/sources.js';
import { findOutermost, networkType, readInside } from '../store/space.js';
import { parseStored, type StoredObject } from '../store/stored-object.js';
import { ownMaintainers } from './credentials.js';
import { unlessUnreadable } from './registry-object.js';
import { requireSource } from './requested.js';

const maxParts = 256;
const maxEnclosing = 20;

/** Describes the registered and the free part of a range of addresses. */
export function describeSpace(context: Context): Handlers<typeof HierarchyServiceService>['describeSpace'] {
  return async (request, call) => {
    const source = request.source === '' ? context.sources.main : requireSource(context.sources, request.source);
    const whole = parseResource(request.resource);
    if (whole === undefined || !('family' in whole)) {
      throw new ServiceError('invalid', [failureMessage('"%s" is not an address range', [request.resource])]);
    }
    if (request.parts < 1 || request.parts > maxParts) throw new ServiceError('invalid', `1 to ${maxParts} parts`);
    const type = networkType(whole);
    const [enclosing, inside] = await context.readCurrent({ call, sources: [source.id] }, async (db) => {
      const found = await findEnclosing(db, source.id, type, whole);
      return [found.slice(0, maxEnclosing), await readInside(db, source.id, whole, request.parts)] as const;
    });
    const { used, parts, free } = spaceUse(whole, inside.registered, request.parts);
    return {
      source: source.name,
      range: formatPrefix(whole),
      type,
      addresses: String(whole.last - whole.first + 1n),
      enclosing: enclosing.flatMap((stored) => spaceObject(context, source, stored, call) ?? []),
      used: String(used),
      objects: inside.objects,
      isPartial: inside.isPartial,
      parts: parts.map((part, at) => ({
        range: formatPrefix(part.range),
        used: String(part.used),
        objects: inside.begun.get(at) ?? 0,
      })),
      inside: inside.outermost.map(formatRange),
      free: inside.isPartial ? [] : free.map(({ range }) => formatPrefix(range)),
    };
  };
}

const maxListed = 1000;

/** Lists the outermost networks that name mntners of the caller. */
export function listOwnSpace(context: Context): Handlers<typeof HierarchyServiceService>['listOwnSpace'] {
  return async ({ principal }, call) => {
    const own = await ownMaintainers(context, principal, call);
    const source = context.sources.main;
    const db = duringCall(context.readPool, call);
    const names = new Set(own.maintainers.map(({ key }) => foldKey('mntner', key)));
    if (names.size === 0) return { objects: [], incomplete: own.incomplete };
    const found = [];
    for (const family of [4, 6] as const) {
      found.push(await findOutermost(db, source.id, family, [...names], maxListed + 1));
    }
    const ids = found.flatMap((one) => one.ids);
    const objects = new Map<string, SpaceObject>();
    for await (const stored of loadInParts(db, ids.slice(0, maxListed))) {
      const object = stored.deleted ? undefined : spaceObject(context, source, stored, call, names);
      if (object && object.attributes.length > 0) objects.set(`${stored.type} ${stored.key}`, object);
    }
    return {
      objects: ids.flatMap(({ type, key }) => objects.get(`${type} ${key}`) ?? []),
      incomplete: own.incomplete || ids.length > maxListed || found.some(({ isPartial }) => isPartial),
    };
  };
}

function spaceObject(
  context: Context,
  source: Source,
  stored: StoredObject,
  call: Call,
  own: ReadonlySet<string> = new Set(),
): SpaceObject | undefined {
  return unlessUnreadable(context, source, stored, call, () => {
    const object = parseStored(stored);
    return {
      key: { source: source.name, type: stored.type, key: shownKey(object, stored.key) },
      netname: firstValueOf(object, 'netname') ?? '',
      status: firstValueOf(object, 'status') ?? '',
      attributes: attributesNaming(object, own),
    };
  });
}

/** The attributes of an object that name one of these mntners. */
function attributesNaming(object: RpslObject, mntners: ReadonlySet<string>): string[] {
  const naming = referencesOf(object).filter(({ types, key }) => types.includes('mntner') && mntners.has(key));
  return [...new Set(naming.map(({ attribute }) => attribute))];
}
