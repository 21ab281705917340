import {
  type AddressRange,
  asciiLowerCase,
  asciiUpperCase,
  contains,
  type ObjectTypeName,
  objectType,
  parseResource,
} from '@cadastre/rpsl';
import { type ChangeEvent, type OperationName, operationNames, operationOf } from './change-event.js';

/** The filter that a reader requests. A part without values matches everything. Values may be comma-separated lists. */
export interface FilterValues {
  /** Object types, long or short names. */
  readonly 'type-filter': readonly string[];
  /** Operations (`operationNames`). */
  readonly operation: readonly string[];
  /** Mntners. One of them must be in `mnt-by` before or after the change. */
  readonly maintainer: readonly string[];
  /** Addresses, prefixes or ranges. One of them must contain the addresses of the object. */
  readonly within: readonly string[];
  /** The primary key in any letter case; `*` matches any text. */
  readonly key: string;
}

/** Why values are not a valid filter. */
export type FilterProblem =
  | { readonly reason: 'type'; readonly value: string }
  | { readonly reason: 'value'; readonly name: keyof FilterValues; readonly value: string; readonly expected: string }
  | { readonly reason: 'count'; readonly name: keyof FilterValues; readonly max: number };

/** Whether a reader receives a change. */
export type ChangeFilter = (event: ChangeEvent) => boolean;

/** The service compares every change of a source with these values, for each reader. */
const maxValues = 20;
const maxPatternLength = 255;

/** Makes the filter; a change must pass every part. Returns a problem for invalid values. */
export function changeFilter(wanted: FilterValues): ChangeFilter | FilterProblem {
  const parts = [
    listPart(wanted, 'type-filter', typeOf, (types) => (event) => types.has(event.type as ObjectTypeName)),
    listPart(wanted, 'operation', operationNamed, (operations) => (event) => operations.has(operationOf(event))),
    listPart(wanted, 'within', rangeNamed, (ranges) => {
      const list = [...ranges];
      return ({ range }) => range !== undefined && list.some((one) => contains(one, range));
    }),
    keyPart(wanted.key),
    // Rather one event too many than one too few.
    listPart(wanted, 'maintainer', asciiUpperCase, (names) => ({ maintainers, maintainersIncomplete }) => {
      return maintainersIncomplete || maintainers.some((name) => names.has(name));
    }),
  ];
  const problem = parts.find((part) => typeof part === 'object');
  const tests = parts.filter((part) => typeof part === 'function');
  return problem ?? ((event) => tests.every((passes) => passes(event)));
}

/** A part of the filter; undefined without values. */
type Part = ChangeFilter | FilterProblem | undefined;

function listPart<T extends string | AddressRange>(
  wanted: FilterValues,
  name: Exclude<keyof FilterValues, 'key'>,
  read: (text: string) => T | FilterProblem,
  testOf: (values: ReadonlySet<T>) => ChangeFilter,
): Part {
  const sent = wanted[name];
  const texts = sent.flatMap((value) => value.split(',').map((one) => one.trim())).filter((value) => value !== '');
  // A value of only separators is a mistake, not a request for every change.
  if (texts.length === 0 && sent.some((value) => value.trim() !== '')) {
    return { reason: 'value', name, value: sent.join(), expected: 'a list of values' };
  }
  if (texts.length > maxValues) return { reason: 'count', name, max: maxValues };
  const values = new Set<T>();
  for (const text of texts) {
    const value = read(text);
    if (isProblem(value)) return value;
    values.add(value);
  }
  return values.size === 0 ? undefined : testOf(values);
}

function isProblem(value: string | AddressRange | FilterProblem): value is FilterProblem {
  return typeof value === 'object' && 'reason' in value;
}

function typeOf(name: string): ObjectTypeName | FilterProblem {
  return objectType(name)?.name ?? { reason: 'type', value: name };
}

function operationNamed(text: string): OperationName | FilterProblem {
  const known = operationNames.find((name) => name === asciiLowerCase(text));
  return known ?? { reason: 'value', name: 'operation', value: text, expected: operationNames.join(', ') };
}

function rangeNamed(text: string): AddressRange | FilterProblem {
  const range = parseResource(text);
  if (range && 'family' in range) return range;
  return { reason: 'value', name: 'within', value: text, expected: 'an address, a prefix or a range' };
}

/** Compares piece by piece: the cost is at most one pass over the key per piece of the pattern. */
function keyPart(pattern: string): Part {
  if (pattern === '') return undefined;
  if (pattern.length > maxPatternLength) {
    return { reason: 'value', name: 'key', value: pattern, expected: 'at most 255 characters' };
  }
  const [start = '', ...rest] = asciiLowerCase(pattern).split('*');
  const end = rest.pop();
  const middle = rest.filter((piece) => piece !== '');
  return ({ key }) => {
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
