import {
  type AddressRange,
  contains,
  type Message,
  messages,
  type Place,
  parseIpv4Range,
  parseIpv6Prefix,
} from '@cadastre/rpsl';

/** What is wrong with addresses that must lie inside an object: the other family, or outside. */
export function checkInside(outer: AddressRange, addresses: string, shown: string, place: Place): Message[] {
  const inner = outer.family === 4 ? parseIpv4Range(addresses) : parseIpv6Prefix(addresses);
  if (inner === undefined) {
    return [outer.family === 4 ? messages.notIpv4(shown, place) : messages.notIpv6(shown, place)];
  }
  return contains(outer, inner) ? [] : [messages.outsideRange(shown, place)];
}
