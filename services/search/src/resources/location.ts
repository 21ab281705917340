import type { GeoValue, Location } from '@cadastre/proto/geo';
import {
  checkSyntax,
  type Find,
  firstValueOf,
  followReference,
  type Lineage,
  nearestValue,
  organisationReference,
  type Registered,
  type RpslObject,
  statusesWhere,
  valuesOf,
} from '@cadastre/rpsl';

/** The attributes that `locationOf` reads. */
export const locationAttributes: readonly string[] = ['geofeed', 'geoloc', 'language', 'org', 'remarks', 'status'];

/** Address space of these kinds comes directly from the registry: enclosing objects say nothing about its location. */
const { inetnum, inet6num } = statusesWhere(({ by }) => by === 'registry');
const outermost: Readonly<Record<string, ReadonlySet<string>>> = { inetnum, inet6num };

/** Location and languages of address space; undefined without data. */
export function locationOf(lineage: Lineage, find: Find): Location | undefined {
  const sources = locationSources(lineage, find);
  const geoloc = nearestValue(sources, (one) => geoValue(one, firstValueOf(one.object, 'geoloc')));
  const languages = nearestValue(sources, languagesOf) ?? [];
  const geofeed = nearestValue(lineage, (one) => geoValue(one, geofeedOf(one.object)));
  return geoloc || languages.length > 0 || geofeed ? { geoloc, languages, geofeed } : undefined;
}

/**
 * The objects that may have location data, the nearest first: each object of the lineage, followed by its organisation.
 * Stops after the holder's space, and at a dangling reference.
 */
function locationSources(lineage: Lineage, find: Find): Registered[] {
  const sources: Registered[] = [];
  for (const one of lineage) {
    const reference = organisationReference(one);
    const organisation = followReference(reference, find);
    if (reference !== undefined && organisation === undefined) break;
    sources.push(one, ...(organisation ? [organisation] : []));
    const status = firstValueOf(one.object, 'status')?.toUpperCase() ?? '';
    if (outermost[one.object.type]?.has(status)) break;
  }
  return sources;
}

function languagesOf(one: Registered): GeoValue[] | undefined {
  const languages = valuesOf(one.object, 'language').flatMap((value) => geoValue(one, value) ?? []);
  return languages.length > 0 ? languages : undefined;
}

function geoValue({ id }: Registered, value: string | undefined): GeoValue | undefined {
  return value ? { value, holder: id } : undefined;
}

/** The token of a remark has exactly this letter case (RFC 9632, section 3). */
const remark = /^Geofeed (\S+)/;

/**
 * URL of the geolocation feed (RFC 8805) of an inetnum or inet6num. The attribute takes precedence over remarks
 * (RFC 9632, section 3). Only https URLs count.
 */
function geofeedOf(object: RpslObject): string | undefined {
  const remarks = valuesOf(object, 'remarks').map((value) => remark.exec(value)?.[1]);
  return [firstValueOf(object, 'geofeed'), ...remarks].find(
    (url) => url !== undefined && checkSyntax('geofeed', object.type, url),
  );
}
