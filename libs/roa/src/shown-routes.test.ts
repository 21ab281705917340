import { expect, test } from 'vitest';
import { indexOfRoas } from '../tests/testing.js';
import { chooseRoutePolicy, type InvalidRoutes, type RouteView } from './route-policy.js';
import { routeShowing } from './shown-routes.js';
import { routeValidator } from './validate-route.js';

const sources = ['TEST', 'TEST-NONAUTH', 'OTHER-GRS'];

function policyOf(...roaPolicy: string[]) {
  return chooseRoutePolicy({ roaSource: 'file', roaPolicy }, 'TEST', sources);
}

test.each<[string, string[], InvalidRoutes[]]>([
  ['nothing', [], ['mark', 'mark', 'mark']],
  ['one for all', ['hide'], ['hide', 'hide', 'hide']],
  ['one for the main source, and so for its part', ['show', 'test=hide'], ['hide', 'hide', 'show']],
  ['one for the part', ['TEST-nonauth=hide', 'TEST=show'], ['show', 'hide', 'mark']],
  ['one for a mirror', ['OTHER-GRS=show', 'hide'], ['hide', 'hide', 'show']],
])('the setting has %s', (_what, entries, expected) => {
  expect(sources.map(policyOf(...entries))).toEqual(expected);
});

test('a setting with another word or source is refused', () => {
  expect(() => policyOf('drop', 'NONE=hide')).toThrow(/"drop" must be POLICY.*unknown source NONE/s);
});

test('without ROAs every route is shown', () => {
  const policy = chooseRoutePolicy({ roaSource: undefined, roaPolicy: ['hide'] }, 'TEST', sources);
  expect(sources.map(policy)).toEqual(['show', 'show', 'show']);
});

const current = () => indexOfRoas('AS64501 192.0.2.0/24', 'AS64500 2001:db8::/32');
const roa = { current, validateRoute: routeValidator(current) };
const [valid, invalid, unknown] = ['192.0.2.0/24AS64501', '192.0.2.0/24as64500', '198.51.100.0/24AS64500'];

test.each<[string, RouteView, string[]]>([
  ['hide', 'objects', ['plain', 'left out', 'plain']],
  ['hide', 'list', ['plain', 'left out', 'plain']],
  ['hide', 'everything', ['plain', 'marked', 'plain']],
  ['mark', 'objects', ['plain', 'marked', 'plain']],
  ['mark', 'list', ['plain', 'left out', 'plain']],
  ['mark', 'everything', ['plain', 'marked', 'plain']],
  ['show', 'objects', ['plain', 'plain', 'plain']],
  ['show', 'list', ['plain', 'plain', 'plain']],
  ['show', 'everything', ['plain', 'plain', 'plain']],
])('"%s" in a view of %s', (policy, view, expected) => {
  const show = routeShowing(policyOf(policy), roa);
  expect([valid, invalid, unknown].map((key) => show({ source: 'TEST', key }, view))).toEqual(expected);
});

test.each([
  ['2001:db8::/32AS64501', 'marked'],
  ['2001:db8::/32as64500', 'plain'],
  ['2001:db8::/32', 'plain'],
  ['no route', 'plain'],
])('the key %s', (key, expected) => {
  expect(routeShowing(policyOf('mark'), roa)({ source: 'TEST', key }, 'objects')).toBe(expected);
});

test('before the first ROAs an answer that might have to leave out a route is unavailable', () => {
  const none = { current: () => undefined, validateRoute: () => undefined };
  const route = { source: 'TEST', key: invalid };
  expect(() => routeShowing(policyOf('mark'), none)(route, 'list')).toThrow('No ROAs');
  expect(() => routeShowing(policyOf('hide'), none)(route, 'objects')).toThrow('No ROAs');
  expect(routeShowing(policyOf('mark'), none)(route, 'objects')).toBe('plain');
  expect(routeShowing(policyOf('show'), none)(route, 'list')).toBe('plain');
  expect(routeShowing(policyOf('hide'), none)(route, 'everything')).toBe('plain');
});
