import { anything, type Checker, oneOf, pattern, variants } from './checker.js';

const coordinates = /^([+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)) +([+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+))$/;

/** Latitude and longitude in degrees. */
function isCoordinates(value: string): boolean {
  const match = coordinates.exec(value);
  return match !== null && Math.abs(Number(match[1])) <= 90 && Math.abs(Number(match[2])) <= 180;
}

const twoLetters = pattern(/^[a-z]{2}$/i);

/** Codes, enumerations and free text. */
export const valueSyntaxes = {
  any: anything,
  certif: anything,
  'country-code': twoLetters,
  'free-form': anything,
  generated: anything,
  geoloc: isCoordinates,
  'language-code': twoLetters,
  method: anything,
  'org-type': oneOf('IANA', 'RIR', 'NIR', 'LIR', 'DIRECT_ASSIGNMENT', 'OTHER'),
  status: variants({
    inetnum: oneOf(
      'ALLOCATED PA',
      'ALLOCATED UNSPECIFIED',
      'LIR-PARTITIONED PA',
      'SUB-ALLOCATED PA',
      'AGGREGATED-BY-LIR',
      'ALLOCATED-ASSIGNED PA',
      'ASSIGNED PA',
      'ASSIGNED PI',
      'ASSIGNED ANYCAST',
      'LEGACY',
    ),
    inet6num: oneOf(
      'ALLOCATED-BY-RIR',
      'ALLOCATED-BY-LIR',
      'AGGREGATED-BY-LIR',
      'ASSIGNED',
      'ASSIGNED ANYCAST',
      'ASSIGNED PI',
    ),
    'aut-num': oneOf('ASSIGNED', 'LEGACY', 'OTHER'),
  }),
} satisfies Record<string, Checker>;
