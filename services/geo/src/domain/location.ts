import type { GeoValue, Location } from '@cadastre/proto/geo';
import { firstValueOf, valuesOf } from '@cadastre/rpsl';
import { geofeedOf } from './geofeed.js';
import { type Find, follow, type Lineage, nearest, organisationReference, type Registered } from './registered.js';

/** Space of these kinds was given to its holder by the registry: what lies around it says nothing about it. */
const outermost: Readonly<Record<string, ReadonlySet<string>>> = {
  inetnum: new Set([
    'ASSIGNED PI',
    'ASSIGNED ANYCAST',
    'ALLOCATED PA',
    'ALLOCATED-ASSIGNED PA',
    'ALLOCATED UNSPECIFIED',
  ]),
  inet6num: new Set(['ASSIGNED PI', 'ASSIGNED ANYCAST', 'ALLOCATED-BY-RIR']),
};

/** Where address space is said to be, and in which languages; undefined when nothing is said about it. */
export function locationOf(lineage: Lineage, find: Find): Location | undefined {
  const speakers = speakersFor(lineage, find);
  const geoloc = nearest(speakers, (one) => geoValue(one, firstValueOf(one.object, 'geoloc')));
  const languages = nearest(speakers, languagesOf) ?? [];
  const geofeed = nearest(lineage, (one) => geoValue(one, geofeedOf(one.object)));
  return geoloc || languages.length > 0 || geofeed ? { geoloc, languages, geofeed } : undefined;
}

/**
 * The objects that may say something about the location, the nearest first: each object of the lineage before its
 * organisation. The lineage is followed to the holder's space, and not beyond a dangling reference.
 */
function speakersFor(lineage: Lineage, find: Find): Registered[] {
  const speakers: Registered[] = [];
  for (const one of lineage) {
    const reference = organisationReference(one);
    const organisation = follow(reference, find);
    if (reference !== undefined && organisation === undefined) break;
    speakers.push(one, ...(organisation ? [organisation] : []));
    const status = firstValueOf(one.object, 'status')?.toUpperCase() ?? '';
    if (outermost[one.object.type]?.has(status)) break;
  }
  return speakers;
}

function languagesOf(one: Registered): GeoValue[] | undefined {
  const languages = valuesOf(one.object, 'language').flatMap((value) => geoValue(one, value) ?? []);
  return languages.length > 0 ? languages : undefined;
}

function geoValue({ id }: Registered, value: string | undefined): GeoValue | undefined {
  return value ? { value, holder: id } : undefined;
}
