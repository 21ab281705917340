import { expect, test } from 'vitest';
import { readNrtm3Origin } from './origin.js';

const right = {
  host: 'whois.example.net',
  source: 'example',
  dump: 'https://ftp.example.net/example.db.gz',
  serial: 'https://ftp.example.net/EXAMPLE.CURRENTSERIAL',
};

test.each([
  [right, 'whois.example.net:43'],
  [{ ...right, port: 4444 }, 'whois.example.net:4444'],
  [{ ...right, host: '2001:db8::1' }, '[2001:db8::1]:43'],
  [{ ...right, dump: [right.dump, 'file:///srv/more.db'], encoding: 'utf8' }, 'whois.example.net:43'],
  [{ ...right, dump: 'ftp://ftp.example.net/dump', serial: 'http://ftp.example.net/serial' }, 'whois.example.net:43'],
  [{ ...right, dump: 'https://ftp.example.net/{class}.gz', classes: ['route'] }, 'whois.example.net:43'],
  [{ ...right, host: '192.0.2.1', dump: 'http://192.0.2.1/dump', ownNetwork: true }, '192.0.2.1:43', true],
])('reads %j', (value, address, ownNetwork = false) => {
  expect(readNrtm3Origin(value, 'EXAMPLE-GRS')).toMatchObject({
    ok: true,
    value: { kind: 'nrtm3', address, originSource: 'EXAMPLE', ownNetwork, everyMs: 60_000 },
  });
});

test.each([
  ['whois.example.net', ['must be an object']],
  [{ ...right, host: '' }, ['host: must be the name or address of a whois server']],
  [{ ...right, host: 'whois.example.net/path' }, ['host: must be the name or address of a whois server']],
  [{ ...right, port: 0 }, ['port: must be a number up to 65535']],
  [{ ...right, dump: [] }, ['dump: must have a URL']],
  [{ ...right, dump: 'gopher://ftp.example.net/dump' }, ['dump: must be an https, http, ftp or file URL']],
  [{ ...right, serial: 'https://a:b@ftp.example.net/serial' }, ['serial: must not hold credentials']],
  [
    { ...right, source: 'A B', encoding: 'ascii', ownNetwork: 'yes', password: 'x' },
    [
      'password: is none of host, port, source, dump, serial, encoding, classes, ownNetwork',
      'source: must be the name of a source',
      'encoding: must be latin1 or utf8',
      'ownNetwork: must be true or false',
    ],
  ],
])('tells all that is wrong with %j', (value, faults) => {
  expect(readNrtm3Origin(value, 'EXAMPLE-GRS')).toEqual({ ok: false, faults });
});
