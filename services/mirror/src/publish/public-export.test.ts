import { readSettings } from '@cadastre/service';
import { expect, test } from 'vitest';
import { publicSources, wholeSource } from '../public-source.js';
import { mirrorSettings } from '../settings.js';
import { policyOf, publicText } from './public-export.js';

const { publicTexts } = mirrorSettings;
const textsOf = (value: string) => readSettings({ publicTexts }, { CADASTRE_PUBLIC_TEXTS: value }).publicTexts;
const route = [
  'route:          192.0.2.0/24',
  'descr:          Example, ask noc@example.net',
  'remarks:        Geofeed https://example.net/geofeed.csv',
  'remarks:        by two buildings',
  'origin:         AS64500',
  'source:         TEST',
  '',
];

/** The lines of the public copy that are not those of the object. */
const changed = (value: string, source = 'TEST') =>
  publicText(route.join('\n'), wholeSource(source, textsOf(value)))
    ?.split('\n')
    .filter((line) => !route.includes(line))
    .map((line) => line.replace(/: +/, ': '));

const descr = 'descr: Example, ask unread@example.invalid';

test.each([
  ['', ['descr: Dummified', 'remarks: Dummified']],
  ['TEST descr', [descr, 'remarks: Dummified']],
  ['test DESCR  remarks', [descr]],
  ['TEST geofeed', ['descr: Dummified', 'remarks: Dummified']],
  ['OTHER descr, TEST remarks', ['descr: Dummified']],
])('with the texts %o a copy differs in %j', (value, lines) => {
  expect(changed(value)).toEqual(lines);
});

test('with geofeeds a copy has the remarks that name one, and no others', () => {
  const text = publicText(route.join('\n'), wholeSource('TEST', textsOf('TEST geofeed')))!;
  expect(text).toContain('remarks:        Geofeed https://example.net/geofeed.csv\n');
  expect(text).not.toContain('two buildings');
});

test.each(['TEST', 'TEST auth', 'TEST descr notify', 'TEST person', ', TEST descr', '9 descr', 'TEST=descr'])(
  'the texts %o are refused',
  (value) => {
    expect(() => textsOf(value)).toThrow(/CADASTRE_PUBLIC_TEXTS.*invalid element/);
  },
);

test('texts of a source that the registry does not have are refused', () => {
  const settings = { source: 'TEST', grsSources: [], publicTexts: textsOf('TEST-NONAUTH geofeed, OTHER descr') };
  expect(() => publicSources('X', [], settings)).toThrow('CADASTRE_PUBLIC_TEXTS: unknown source OTHER');
});

test('another choice of texts is another policy, which begins a new session; the order is none', () => {
  const policy = (value: string) => policyOf(wholeSource('TEST', textsOf(value)));
  expect(policy('')).toBe(1);
  expect(policy('OTHER descr')).toBe(1);
  expect(policy('TEST descr remarks')).toBe(policy('TEST remarks descr'));
  const all = ['', 'TEST descr', 'TEST remarks', 'TEST descr remarks', 'TEST geofeed'].map(policy);
  expect(new Set(all).size).toBe(all.length);
  for (const one of all) expect(one).toBeLessThan(2 ** 31);
});
