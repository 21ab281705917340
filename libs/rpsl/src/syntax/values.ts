import { orgTypes } from '../types/enumerations.js';
import { statuses } from '../types/statuses.js';
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
  'org-type': oneOf(...Object.keys(orgTypes)),
  status: variants({
    inetnum: oneOf(...Object.keys(statuses.inetnum)),
    inet6num: oneOf(...Object.keys(statuses.inet6num)),
    'aut-num': oneOf(...Object.keys(statuses['aut-num'])),
  }),
} satisfies Record<string, Checker>;
