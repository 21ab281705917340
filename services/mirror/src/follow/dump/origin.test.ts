import { expect, test } from 'vitest';
import { readDumpOrigin } from './origin.js';

const url = 'https://ftp.example.net/example.db.gz';
const right = { urls: [url], source: 'example' };
const hourMs = 3_600_000;

test.each([
  [right, 24 * hourMs],
  [{ ...right, every: '90m' }, 1.5 * hourMs],
  [{ ...right, every: '6h', serialUrl: 'file:///srv/serial', encoding: 'utf8' }, 6 * hourMs],
  [{ ...right, urls: [url, 'ftp://ftp.example.net/a', 'http://ftp.example.net/b'] }, 24 * hourMs],
  [{ ...right, classes: ['Route', 'as-set'] }, 24 * hourMs],
  [{ ...right, every: '30d', urls: [url, 'http://192.0.2.1/more'], ownNetwork: true }, 720 * hourMs],
])('reads %j', (value, everyMs) => {
  expect(readDumpOrigin(value, 'EXAMPLE-GRS')).toMatchObject({
    ok: true,
    value: { kind: 'dump', address: url, originSource: 'EXAMPLE', everyMs },
  });
});

const noUrl = 'must be an https, http, ftp or file URL';
const noClasses = expect.stringMatching(/^classes: must be "all" or a list of: inetnum, /);
const noUrls = 'urls: must be a list of 1 to 100 URLs';
const noInterval = 'every: must be a time from "1m" to "30d"';

test.each([
  [null, ['must be an object']],
  [{ ...right, urls: [] }, [noUrls]],
  [{ ...right, urls: url }, [noUrls]],
  [{ ...right, urls: Array(101).fill(url) }, [noUrls]],
  [{ ...right, urls: [url, 'gopher://ftp.example.net/dump'] }, [`urls: ${noUrl}`]],
  [{ ...right, urls: ['ftp://a:b@ftp.example.net/dump'] }, ['urls: must not hold credentials']],
  [{ ...right, classes: [] }, [noClasses]],
  [{ ...right, classes: ['route', 'limerick'] }, [noClasses]],
  [{ ...right, classes: 'route' }, [noClasses]],
  [{ ...right, urls: ['https://ftp.example.net/{class}.gz'] }, ['classes: must be a list when a URL has {class}']],
  [{ ...right, every: '0d' }, [noInterval]],
  [{ ...right, every: '31d' }, [noInterval]],
  [{ ...right, every: 'daily' }, [noInterval]],
  [{ ...right, every: 7 }, [noInterval]],
  [
    { urls: [url], serialUrl: 'gopher://ftp.example.net/serial', encoding: 'ascii', ownNetwork: 1, password: 'x' },
    [
      'password: is none of urls, source, serialUrl, every, encoding, classes, ownNetwork',
      'source: must be the name of a source',
      `serialUrl: ${noUrl}`,
      'encoding: must be latin1 or utf8',
      'ownNetwork: must be true or false',
    ],
  ],
])('tells all that is wrong with %j', (value, faults) => {
  expect(readDumpOrigin(value, 'EXAMPLE-GRS')).toEqual({ ok: false, faults });
});

test('a URL with {class} is a file for each class', () => {
  const urls = ['https://ftp.example.net/{class}/{class}.gz', url];
  const read = readDumpOrigin({ ...right, urls, classes: ['route', 'AS-SET'] }, 'EXAMPLE-GRS');
  expect(read).toMatchObject({ ok: true, value: { address: 'https://ftp.example.net/route/route.gz' } });
  const classes = read.ok ? [...read.value.classes!] : [];
  expect(classes).toEqual(['route', 'as-set']);
});
