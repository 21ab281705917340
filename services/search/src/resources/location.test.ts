import { findAmong, lineage, registered } from '@cadastre/rpsl/testing';
import { describe, expect, test } from 'vitest';
import { locationOf } from './location.js';

const find = findAmong(
  registered('organisation: ORG-G1-TEST', 'org-name: Located', 'geoloc: 50 5', 'language: fr', 'language: de'),
  registered('organisation: ORG-N1-TEST', 'org-name: Nowhere'),
);

const net = ['inetnum: 192.0.2.0 - 192.0.2.127', 'status: ASSIGNED PA'];
const parent = ['inetnum: 192.0.2.0 - 192.0.2.255'];
const root = ['inetnum: 0.0.0.0 - 255.255.255.255', 'geoloc: 0 0'];

/** Only the values, each after the key of the object that has it. */
function valuesOf(...[first, ...enclosing]: string[][]) {
  const location = locationOf(lineage(first!, ...enclosing), find);
  return (
    location && {
      geoloc: location.geoloc && `${location.geoloc.holder?.key}: ${location.geoloc.value}`,
      languages: location.languages.map(({ holder, value }) => `${holder?.key}: ${value}`),
    }
  );
}
const geoloc = (...levels: string[][]) => valuesOf(...levels)?.geoloc;

describe('location and languages', () => {
  test('are those of the object', () => {
    expect(valuesOf([...net, 'geoloc: 52.37 4.89', 'language: nl', 'language: en', 'org: ORG-G1-TEST'])).toEqual({
      geoloc: '192.0.2.0 - 192.0.2.127: 52.37 4.89',
      languages: ['192.0.2.0 - 192.0.2.127: nl', '192.0.2.0 - 192.0.2.127: en'],
    });
  });

  test('are otherwise those of its organisation, separately', () => {
    expect(valuesOf([...net, 'language: nl', 'org: ORG-G1-TEST'])).toEqual({
      geoloc: 'ORG-G1-TEST: 50 5',
      languages: ['192.0.2.0 - 192.0.2.127: nl'],
    });
  });

  test('may come from different levels', () => {
    expect(valuesOf([...net, 'language: nl'], [...parent, 'geoloc: 1 1', 'language: en'])).toEqual({
      geoloc: '192.0.2.0 - 192.0.2.255: 1 1',
      languages: ['192.0.2.0 - 192.0.2.127: nl'],
    });
  });

  test('may not exist', () => {
    expect(valuesOf(net, [...parent, 'org: ORG-N1-TEST'])).toBeUndefined();
  });

  test('may come from the root', () => {
    expect(geoloc(net, root)).toBe('0.0.0.0 - 255.255.255.255: 0 0');
  });

  test.each(['ASSIGNED PI', 'ASSIGNED ANYCAST', 'ALLOCATED PA', 'allocated-assigned pa', 'ALLOCATED UNSPECIFIED'])(
    'do not come from above IPv4 space with status %s',
    (status) => {
      expect(geoloc([...parent, `status: ${status}`], root)).toBeUndefined();
      expect(geoloc(net, [...parent, `status: ${status}`, 'geoloc: 1 1'], root)).toBe('192.0.2.0 - 192.0.2.255: 1 1');
    },
  );

  test.each([
    ['ALLOCATED-BY-RIR', undefined],
    ['ASSIGNED PI', undefined],
    ['ALLOCATED PA', '::/0: 0 0'],
    ['AGGREGATED-BY-LIR', '::/0: 0 0'],
  ])('above IPv6 space with status %s: %s', (status, found) => {
    expect(geoloc(['inet6num: 2001:db8::/32', `status: ${status}`], ['inet6num: ::/0', 'geoloc: 0 0'])).toBe(found);
  });

  test('do not come from or above an object whose organisation is missing', () => {
    expect(geoloc(net, [...parent, 'geoloc: 1 1', 'org: ORG-ZZ9-TEST'], root)).toBeUndefined();
  });
});

describe('the geofeed', () => {
  const feed = (...[first, ...enclosing]: string[][]) => locationOf(lineage(first!, ...enclosing), find)?.geofeed;
  const one = 'https://example.net/one.csv';
  const two = 'https://example.net/two.csv';

  test.each<[string, string[][], string | undefined]>([
    ['is the attribute', [[...net, `geofeed: ${one}`]], one],
    ['may be in a remark', [[...net, 'remarks: Hello', `remarks: Geofeed ${one}`]], one],
    ['is the attribute rather than a remark', [[...net, `remarks: Geofeed ${two}`, `geofeed: ${one}`]], one],
    [
      'is that of the nearest object that has one',
      [net, [...parent, `geofeed: ${one}`], [...root, `geofeed: ${two}`]],
      one,
    ],
    [
      "may come from above the holder's space",
      [
        [...parent, 'status: ALLOCATED PA'],
        [...root, `geofeed: ${two}`],
      ],
      two,
    ],
    ['is not a remark in other letter case', [[...net, `remarks: geofeed ${one}`]], undefined],
    ['is not a remark in the middle of a sentence', [[...net, `remarks: see Geofeed ${one}`]], undefined],
    [
      'is not an unencrypted URL',
      [
        [...net, 'geofeed: http://example.net/one.csv'],
        [...parent, 'remarks: Geofeed http://example.net/x.csv'],
      ],
      undefined,
    ],
    [
      'an unencrypted URL does not hide the next',
      [
        [...net, 'geofeed: http://example.net/one.csv'],
        [...parent, `geofeed: ${two}`],
      ],
      two,
    ],
  ])('%s', (_, levels, value) => {
    expect(feed(...levels)?.value).toBe(value);
  });

  test('comes with the object that has it', () => {
    expect(feed(net, [...parent, `geofeed: ${one}`])).toEqual({
      value: one,
      holder: { source: 'TEST', type: 'inetnum', key: '192.0.2.0 - 192.0.2.255' },
    });
  });
});
