import { error, type Place, warning } from '../message.js';

/** Values with wrong syntax or outside the configured lists. */
export const syntaxMessages = {
  syntaxError: (value: string, place: Place) => error('Syntax error in %s', [value], place),
  syntaxErrorBecause: (value: string, reason: string, place: Place) =>
    error('Syntax error in %s (%s)', [value, reason], place),
  notIpv4: (value: string, place: Place) => error('%s is not a valid IPv4 address', [value], place),
  notIpv6: (value: string, place: Place) => error('%s is not a valid IPv6 address', [value], place),
  outsideRange: (value: string, place: Place) => error('%s is outside the range of this object', [value], place),
  unknownCountry: (value: string, place: Place) => error('Country not recognised: %s', [value], place),
  unknownLanguage: (value: string) => error('Language not recognised: %s', [value]),
  unknownContact: (value: string, place: Place) =>
    warning('Contact attribute syntax is not recognised: %s', [value], place),
  notNotified: (address: string, why: 'undeliverable' | 'unsubscribe') =>
    warning('Not sending notification to %s because it is %s.', [address, why]),
  notifiesTooMany: (count: number, bound: number) =>
    error('The object names %s addresses and objects that are told of its changes; at most %s are allowed', [
      count,
      bound,
    ]),
  emailExcluded: (value: string, place: Place) => error('The email address "%s" cannot be used.', [value], place),
  orgNameLayout: (place: Place) =>
    error(
      'Tab characters, multiple lines, or multiple whitespaces are not allowed in the "org-name:" value.',
      [],
      place,
    ),
  unrecognizedSource: (source: string) => error('Unrecognized source: %s', [source]),
};
