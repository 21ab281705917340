import {
  type AddressRange,
  contains,
  type Message,
  messages,
  type Place,
  parseIpv4Range,
  parseIpv6Prefix,
  type RpslObject,
  rangeOf,
} from '@cadastre/rpsl';

/** The addresses of an object; undefined when it has none. */
export function addressesOf(object: RpslObject): AddressRange | undefined {
  const range = rangeOf(object);
  return range === undefined || 'as' in range ? undefined : range;
}

/** What is wrong with addresses that must lie inside an object: the other family, or outside. */
export function checkInside(outer: AddressRange, addresses: string, shown: string, place: Place): Message[] {
  const inner = outer.family === 4 ? parseIpv4Range(addresses) : parseIpv6Prefix(addresses);
  if (inner === undefined) {
    return [outer.family === 4 ? messages.notIpv4(shown, place) : messages.notIpv6(shown, place)];
  }
  return contains(outer, inner) ? [] : [messages.outsideRange(shown, place)];
}
