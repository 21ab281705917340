import { formatPrefix, type Resource } from '@cadastre/rpsl';

/** Describes a term, which is a resource of the number space or another text; empty when there is none. */
export function recognise(term: string, resource: Resource | undefined): string {
  if (term === '') return '';
  if (resource === undefined) return forms.find(([form]) => form.test(term))?.[1] ?? 'a name';
  if ('as' in resource) return resource.as.first === resource.as.last ? 'an AS number' : 'a range of AS numbers';
  const family = `IPv${resource.family}`;
  if (resource.first === resource.last) return `an ${family} address`;
  return term.includes('-') ? `an ${family} range, ${formatPrefix(resource)}` : `an ${family} prefix`;
}

const forms: readonly (readonly [RegExp, string])[] = [
  [/\.(in-addr|ip6)\.arpa\.?$/i, 'a reverse domain'],
  [/^\S+@\S+$/, 'an e-mail address'],
  [/^[\d.:a-f]+(\/\d+)?\s?as\d+$/i, 'a route'],
  [/^org-[a-z0-9-]+$/i, 'an organisation'],
  [/^irt-/i, 'an incident response team'],
  [/^(pgpkey|x509)-/i, 'a key certificate'],
  [/(^|:)as-/i, 'a set of AS numbers'],
  [/(^|:)rs-/i, 'a set of routes'],
  [/(^|:)(fltr|prng|rtrs)-/i, 'a set'],
  [/^[a-z0-9-]+-mnt$/i, 'a maintainer'],
  [/^[a-z]{2,4}[1-9][0-9]{0,5}(-[a-z][a-z0-9_-]*)?$/i, 'a contact'],
  [/^[a-z0-9-]+(\.[a-z0-9-]+)+\.?$/i, 'a host name'],
];
