import type { Omission } from '@cadastre/client';

/** A sentence about a set or a route that the prefixes of a set leave out. */
export function omissionText({ reason, set, prefix, origin, sources = [], roa, detail, ...more }: Omission): string {
  const parent = more['member-of'];
  const member = parent === undefined ? set : `${set}, a member of ${parent},`;
  const places = sources.join(' and ');
  switch (reason) {
    case 'unknown-set':
      return `${member} does not exist.`;
    case 'set-of-other-source':
      return `${member} is only in ${places}.`;
    case 'too-large':
      return `${detail ?? `${member} is too large`}.`;
    case 'excluded-set':
      return `${member} is excluded.`;
    case 'other-source':
      return `${prefix} of ${origin} is only in ${places}.`;
    case 'less-preferred':
      return `${prefix} of ${origin} in ${places} overlaps a route of a preferred source.`;
    case 'roa-invalid': {
      const why = roa && `: a ROA for ${roa.prefix}, up to /${roa['max-length']}, names ${roa.origin}`;
      return `ROAs make ${prefix} of ${origin} invalid${why ?? ''}.`;
    }
    default:
      return [reason, set, prefix, origin, places].filter(Boolean).join(' ');
  }
}
