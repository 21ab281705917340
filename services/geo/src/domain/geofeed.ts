import { checkSyntax, firstValueOf, type RpslObject, valuesOf } from '@cadastre/rpsl';

/** The token of a remark is in exactly this letter case (RFC 9632, section 3). */
const remark = /^Geofeed (\S+)/;

/**
 * Address of the geolocation feed (RFC 8805) that an inetnum or inet6num names. The attribute comes before remarks
 * (RFC 9632, section 3). Anything but https is no feed.
 */
export function geofeedOf(object: RpslObject): string | undefined {
  const remarks = valuesOf(object, 'remarks').map((value) => remark.exec(value)?.[1]);
  return [firstValueOf(object, 'geofeed'), ...remarks].find(
    (url) => url !== undefined && checkSyntax('geofeed', object.type, url),
  );
}
