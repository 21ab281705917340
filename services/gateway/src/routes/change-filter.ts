import {
  type AddressRange,
  asciiLowerCase,
  asciiUpperCase,
  contains,
  type ObjectTypeName,
  objectType,
  parseResource,
} from '@cadastre/rpsl';
import { HttpError } from '../errors.js';
import { type ChangeEvent, operationNames, operationOf } from '../format/change-event.js';
import { messages } from '../messages.js';
import { parameter, type Values } from '../plugins/parameters.js';

/** The query parameters by which a change stream is filtered. */
export const filterQuery = {
  'type-filter': parameter.list('Only objects of these types; accepts comma-separated lists and short names.', {
    example: 'inetnum',
  }),
  operation: parameter.list('Only these operations; accepts comma-separated lists.', { values: operationNames }),
  maintainer: parameter.list(
    'Only objects with one of these mntners in `mnt-by`, before the change or after it; accepts comma-separated lists.',
    { example: 'EXAMPLE-MNT' },
  ),
  within: parameter.list(
    'Only objects whose addresses are inside one of these prefixes or ranges: inetnum, inet6num, route, route6, and domain of reverse DNS.',
    { example: '192.0.2.0/24' },
  ),
  key: parameter.text('Only objects whose primary key is this one, in any letter case; `*` stands for any text.', {
    example: 'EXAMPLE-*',
  }),
};

/** Whether a stream shows a change. */
export type ChangeFilter = (event: ChangeEvent) => boolean;

/** Every change of a source is compared with these, for each stream. */
const mostValues = 20;
const longestPattern = 255;

/** Makes the filter; a change has to pass every parameter that was sent. Throws an HttpError (400). */
export function changeFilter(sent: Values<typeof filterQuery>): ChangeFilter {
  const types = new Set(valuesOf('type-filter', sent['type-filter']).map(typeOf));
  const operations = new Set(valuesOf('operation', sent.operation).map(operationNamed));
  const maintainers = new Set(valuesOf('maintainer', sent.maintainer).map(asciiUpperCase));
  const ranges = valuesOf('within', sent.within).map(rangeNamed);
  const hasKey = sent.key === '' ? undefined : keyPattern(sent.key);
  const tests: ChangeFilter[] = [];
  if (types.size > 0) tests.push(({ type }) => types.has(type as ObjectTypeName));
  if (operations.size > 0) tests.push((event) => operations.has(operationOf(event)));
  if (ranges.length > 0) tests.push(({ range }) => range !== undefined && ranges.some((one) => contains(one, range)));
  if (hasKey) tests.push(({ key }) => hasKey(key));
  if (maintainers.size > 0) {
    // An event too many is better than one too few.
    tests.push((event) => event.maintainersIncomplete || event.maintainers.some((name) => maintainers.has(name)));
  }
  return (event) => tests.every((passes) => passes(event));
}

function valuesOf(name: string, sent: readonly string[]): string[] {
  const values = sent.flatMap((value) => value.split(',').map((one) => one.trim())).filter((value) => value !== '');
  // Only separators are a mistake, and no wish for every change.
  if (values.length === 0 && sent.some((value) => value.trim() !== '')) {
    throw new HttpError(400, messages.invalidValue(sent.join(), name, 'a list of values'));
  }
  if (values.length > mostValues) throw new HttpError(400, messages.tooManyValues(name, mostValues));
  return values;
}

function typeOf(name: string): ObjectTypeName {
  const type = objectType(name);
  if (type === undefined) throw new HttpError(400, messages.invalidObjectType(name));
  return type.name;
}

function operationNamed(text: string) {
  const operation = operationNames.find((name) => name === asciiLowerCase(text));
  if (operation !== undefined) return operation;
  throw new HttpError(400, messages.invalidValue(text, 'operation', operationNames.join(', ')));
}

function rangeNamed(text: string): AddressRange {
  const range = parseResource(text);
  if (range && 'family' in range) return range;
  throw new HttpError(400, messages.invalidValue(text, 'within', 'an address, a prefix or a range'));
}

/** Compares piece by piece, so that no pattern takes longer than a pass over the key for each of its pieces. */
function keyPattern(pattern: string): (key: string) => boolean {
  if (pattern.length > longestPattern) {
    throw new HttpError(400, messages.invalidValue(pattern, 'key', 'at most 255 characters'));
  }
  const [start = '', ...rest] = asciiLowerCase(pattern).split('*');
  const end = rest.pop();
  const middle = rest.filter((piece) => piece !== '');
  return (key) => {
    const text = asciiLowerCase(key);
    if (end === undefined) return text === start;
    if (!text.startsWith(start)) return false;
    let at = start.length;
    for (const piece of middle) {
      const found = text.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return text.length - end.length >= at && text.endsWith(end);
  };
}
