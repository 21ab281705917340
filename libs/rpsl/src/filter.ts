import { type Attribute, firstOf, type RpslObject } from './object.js';
import { cleanComment, cleanValue } from './value.js';

export interface FilterOptions {
  /** Keep e-mail addresses and notification attributes. */
  readonly unfiltered?: boolean;
  /** Show `auth`: only for a caller who proved to be this maintainer (decision R3). */
  readonly showAuth?: boolean;
}

/** Hidden in a filtered object (decision R1). */
const mailAttributes: ReadonlySet<string> = new Set(['e-mail', 'notify', 'ref-nfy', 'mnt-nfy', 'upd-to', 'changed']);

/** Hidden in versions besides those: what was personal in the past stays private. */
const personalAttributes: ReadonlySet<string> = new Set([
  'address',
  'admin-c',
  'author',
  'contact',
  'ping-hdl',
  'tech-c',
  'zone-c',
]);

const filteredMark = 'Filtered';

/** The object as lookup and search show it (decisions R1, R2). `changed` is never shown. */
export function filterObject(o: RpslObject, options: FilterOptions = {}): RpslObject {
  return without(
    o,
    (name) =>
      (name === 'auth' && options.showAuth !== true) || (options.unfiltered !== true && mailAttributes.has(name)),
  );
}

/** A single version of an object as anyone sees it, whoever asks. */
export function filterVersion(o: RpslObject): RpslObject {
  return without(o, (name) => name === 'auth' || mailAttributes.has(name) || personalAttributes.has(name));
}

/** True when the object is filtered output, which must not be stored again. */
export function isFiltered(o: RpslObject): boolean {
  const source = firstOf(o, 'source');
  const comment = source && cleanComment(source);
  return comment?.toLowerCase().startsWith(filteredMark.toLowerCase()) === true;
}

/** Leaves out what is hidden, marks `source` when that was anything, and leaves out `changed` in any case. */
function without(o: RpslObject, isHidden: (name: string) => boolean): RpslObject {
  if (!o.attributes.some((a) => a.name === 'changed' || isHidden(a.name))) {
    return o;
  }
  const shown = o.attributes.filter((a) => !isHidden(a.name));
  const removed = shown.length < o.attributes.length;
  const attributes = shown.filter((a) => a.name !== 'changed').map((a) => (removed ? marked(a) : a));
  return { type: o.type, attributes };
}

function marked(a: Attribute): Attribute {
  return a.name === 'source' ? { name: a.name, raw: ` ${cleanValue(a)} # ${filteredMark}` } : a;
}
