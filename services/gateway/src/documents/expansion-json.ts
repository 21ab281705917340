import { DescribeSetResponse } from '@cadastre/proto/whois';

/** The document of an expansion. Takes the encoded parts of a description, one after the other: they are one message. */
export function expansionJson(message: Uint8Array, withPrefixes: boolean): string {
  const found = DescribeSetResponse.decode(message);
  const document = {
    sets: found.sets.map(({ type, name, members, joined }) => ({ type, name, members, 'by-reference': joined })),
    missing: found.missing,
    'as-numbers': found.asNumbers.map((number) => `AS${number}`),
    ...(withPrefixes && {
      'prefix-counts': found.prefixCounts,
      'ipv4-prefixes': found.ipv4Prefixes,
      'ipv6-prefixes': found.ipv6Prefixes,
    }),
    routers: found.routers,
    partial: found.isPartial,
    serial: Number(found.serial),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
