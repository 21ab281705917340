import { type DescribedSet, DescribeSetResponse } from '@cadastre/proto/whois';

/** The document of an expansion. Takes the encoded parts of a description, one after the other: they are one message. */
export function expansionJson(message: Uint8Array, withPrefixes: boolean): string {
  const found = DescribeSetResponse.decode(message);
  const document = {
    sets: wholeSets(found.sets).map(({ type, name, members, joined }) => {
      return { type, name, members: members.flat(), 'by-reference': joined.flat() };
    }),
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

/** Each set once, with the lists of its parts. */
function wholeSets(parts: readonly DescribedSet[]) {
  const sets: { type: string; name: string; members: string[][]; joined: string[][] }[] = [];
  for (const { type, name, members, joined } of parts) {
    const last = sets.at(-1);
    if (last?.type === type && last.name === name) {
      last.members.push(members);
      last.joined.push(joined);
    } else sets.push({ type, name, members: [members], joined: [joined] });
  }
  return sets;
}
