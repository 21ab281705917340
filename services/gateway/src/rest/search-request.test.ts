import { describe, expect, it } from 'vitest';
import { readParameters } from '../parameters.js';
import { searchQuery, searchRequest } from './search-request.js';

const requested = (query: string, headers = {}) => searchRequest(readParameters(query, searchQuery), headers);

const annotations = { managedAttributes: false, resourceHolder: false, abuseContact: false, roaCheck: false };
const nothing = {
  query: '',
  sources: [],
  types: [],
  inverseAttributes: [],
  flags: [],
  includeTags: [],
  excludeTags: [],
  annotations,
  limit: undefined,
  offset: 0,
  minSerial: 0n,
};

describe('the parameters of a search', () => {
  it.each([
    ['', {}],
    ['query-string=a+b%20c', { query: 'a b c' }],
    ['source=TEST&source=x-grs&source=TEST&source=', { sources: ['TEST', 'x-grs', ''] }],
    ['source=secure&source=RADB,RIPE', { sources: ['secure', 'RADB,RIPE'] }],
    ['type-filter=route,rt&type-filter=person&type-filter=', { types: ['route,rt', 'person', ''] }],
    ['inverse-attribute=mnt-by,mb&inverse-attribute=', { inverseAttributes: ['mnt-by,mb'] }],
    ['flags=rB&flags=no-referenced&flags=', { flags: ['rB', 'no-referenced'] }],
    [
      'include-tag=a&include-tag=b,c&exclude-tag=%20d&exclude-tag=',
      { includeTags: ['a', 'b', 'c'], excludeTags: ['d'] },
    ],
    ['limit=10&offset=20', { limit: 10, offset: 20 }],
    ['roa-check', { annotations: { ...annotations, roaCheck: true } }],
    ['managed-attributes=true&roa-check=false', { annotations: { ...annotations, managedAttributes: true } }],
    [
      'resource-holder=&abuse-contact=TRUE',
      { annotations: { ...annotations, resourceHolder: true, abuseContact: true } },
    ],
    ['cursor=AQID-_8&offset=1', { start: Buffer.from([1, 2, 3, 251, 255]), offset: 1 }],
    ['cursor=', {}],
    ['order=address', { byAddress: true }],
    ['order=', {}],
    ['contains=example%20net', { contains: 'example net' }],
    ['contains=', {}],
    ['client=me&unknown=1', {}],
  ])('%s', (query, expected) => {
    expect(requested(query)).toEqual({ ...nothing, ...expected });
  });

  it.each([
    'limit=x',
    'offset=-1',
    'cursor=!',
    'order=key',
    'offset=',
    'query-string=y',
    'limit=1&limit=2',
    'roa-check&roa-check=0',
  ])('%s is refused (R7, W7), and so are different repeated values', (query) => {
    expect(() => requested(`query-string=x&${query}`)).toThrow(expect.objectContaining({ status: 400 }));
  });

  it('are usual parameters of clients (W7)', () => {
    const sent = 'query-string=x&query-string=x&limit=20&limit=20&resource-holder=0&abuse-contact=no';
    const { query, limit, annotations } = requested(`${sent}&managed-attributes=1&roa-check=yes`);
    expect([query, limit]).toEqual(['x', 20]);
    expect(annotations).toEqual({
      resourceHolder: false,
      abuseContact: false,
      managedAttributes: true,
      roaCheck: true,
    });
  });
});

describe('the serial that must have been reached', () => {
  it.each([
    [{}, 0n],
    [{ 'cadastre-serial': '17' }, 17n],
    [{ 'cadastre-serial': '18446744073709551615' }, 18_446_744_073_709_551_615n],
  ])('%s', (headers, minSerial) => {
    expect(requested('', headers).minSerial).toBe(minSerial);
  });

  it.each(['', 'x', '-1', '1.5', '18446744073709551616'])('"%s" is none', (value) => {
    expect(() => requested('', { 'cadastre-serial': value })).toThrow(expect.objectContaining({ status: 400 }));
  });
});
