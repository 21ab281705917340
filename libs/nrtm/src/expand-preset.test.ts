import { expect, test } from 'vitest';
import { expandPreset, followKinds } from './expand-preset.js';
import { presets, routingClasses } from './presets.js';

const ripe = 'https://ftp.ripe.net/ripe/dbase';

test.each<[unknown, string, object]>([
  [
    'radb',
    'dump',
    {
      source: 'RADB',
      urls: ['ftp://ftp.radb.net/radb/dbase/radb.db.gz'],
      serialUrl: 'ftp://ftp.radb.net/radb/dbase/RADB.CURRENTSERIAL',
      encoding: 'utf8',
      classes: routingClasses,
    },
  ],
  [
    { name: 'RADB', follow: 'nrtm3', port: 4343, classes: 'all' },
    'nrtm3',
    { host: 'whois.radb.net', port: 4343, classes: 'all', dump: ['ftp://ftp.radb.net/radb/dbase/radb.db.gz'] },
  ],
  [
    { name: 'RIPE', follow: 'nrtm4', key: '/srv/ripe.pem' },
    'nrtm4',
    {
      source: 'RIPE',
      url: 'https://nrtm.db.ripe.net/nrtmv4/RIPE/update-notification-file.jose',
      key: '/srv/ripe.pem',
      classes: routingClasses,
    },
  ],
  [
    { name: 'RIPE', classes: ['Route', 'route6'] },
    'dump',
    { urls: [`${ripe}/split/ripe.db.{class}.gz`], classes: ['Route', 'route6'] },
  ],
  [{ name: 'RIPE', classes: 'all' }, 'dump', { urls: [`${ripe}/ripe.db.gz`], classes: 'all' }],
  [{ name: 'APNIC', classes: 'all' }, 'dump', { classes: presets.APNIC!.split!.classes }],
  [{ name: 'ALTDB', urls: ['file:///srv/altdb.db'] }, 'dump', { urls: ['file:///srv/altdb.db'] }],
])('the preset %j is an origin of the kind %s', (given, kind, members) => {
  expect(expandPreset(given)).toMatchObject({ ok: true, value: { kind, members } });
});

test.each<[unknown, string | RegExp]>([
  [7, 'must be the name of a registry, or an object with one'],
  ['EXAMPLE', /^name: must be one of AFRINIC, ALTDB, /],
  ['constructor', /^name: must be one of /],
  [{}, /^name: must be one of /],
  [{ name: 'RADB', follow: 'nrtm4' }, 'follow: must be one of dump, nrtm3'],
  [{ name: 'RADB', follow: 'ftp' }, 'follow: must be one of dump, nrtm3'],
  [{ name: 'APNIC', classes: ['route', 'person', 'poem'] }, 'classes: the registry has no file of person, poem'],
])('the preset %j is refused', (given, fault) => {
  const expected = typeof fault === 'string' ? fault : expect.stringMatching(fault);
  expect(expandPreset(given)).toEqual({ ok: false, faults: [expected] });
});

test.each(Object.entries(presets))('the facts of %s are complete', (name, preset) => {
  expect(name).toBe(name.toUpperCase());
  const urls = [preset.dump ?? preset.split!.url, preset.serial!];
  for (const url of urls) expect(URL.parse(url)?.protocol).toMatch(/^(https|ftp):$/);
  for (const follow of followKinds(preset)) expect(expandPreset({ name, follow })).toMatchObject({ ok: true });
  for (const one of routingClasses) expect(preset.split?.classes ?? routingClasses).toContain(one);
});
