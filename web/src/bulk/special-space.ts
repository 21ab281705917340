import { type AddressRange, type AsRange, contains, parseResource, type Resource } from '@cadastre/rpsl';

const table: readonly (readonly [name: string, ...ranges: string[]])[] = [
  ['this network', '0.0.0.0/8', '::/128'],
  ['private', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'AS64512 - AS65534'],
  ['private', 'AS4200000000 - AS4294967294'],
  ['behind a carrier’s NAT', '100.64.0.0/10'],
  ['this machine', '127.0.0.0/8', '::1/128'],
  ['link-local', '169.254.0.0/16', 'fe80::/10'],
  ['multicast', '224.0.0.0/4', 'ff00::/8'],
  ['reserved', '240.0.0.0/4', 'AS0 - AS0', 'AS65535 - AS65535', 'AS4294967295 - AS4294967295'],
  ['documentation', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'],
  ['documentation', 'AS64496 - AS64511', 'AS65536 - AS65551'],
  ['benchmarks', '198.18.0.0/15', '2001:2::/48'],
];

const reserved = table.flatMap(([name, ...ranges]) =>
  ranges.map((text) => ({ name, range: numbersOf(parseResource(text)!) })),
);

function numbersOf(resource: Resource): AddressRange | AsRange {
  return 'as' in resource ? resource.as : resource;
}

/**
 * The reserved purpose of a whole resource (IANA's registries of special-purpose addresses and AS numbers); undefined
 * for ordinary numbers. Some registries have objects there.
 */
export function specialSpaceOf(resource: Resource): string | undefined {
  const numbers = numbersOf(resource);
  return reserved.find(({ range }) => contains(range, numbers))?.name;
}
