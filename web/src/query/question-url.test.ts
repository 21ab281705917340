import { expect, test } from 'vitest';
import { readUrl } from './question-url.js';

const inetnum = '/-/object/TEST/inetnum/192.0.2.0%20-%20192.0.2.255';

test.each([
  [`https://localhost:8443${inetnum}?view=tree`, `${inetnum}?view=tree`],
  [inetnum, inetnum],
  ['/-/query?q=AS64500&level=exact', '/-/query?q=AS64500&level=exact'],
  ['https://rest.example.net/test/inetnum/192.0.2.0%20-%20192.0.2.255.json?unfiltered', inetnum],
  ['https://rest.example.net/whois/test/route/192.0.2.0/24AS64500', '/-/object/TEST/route/192.0.2.0/24AS64500'],
  ['hxxps://rest[.]example[.]net/test/mntner/A-MNT', '/-/object/TEST/mntner/A-MNT'],
  ['https://rest.example.net/test/mntner/A-MNT/versions', '/-/object/TEST/mntner/A-MNT?view=history'],
  ['https://rest.example.net/test/mntner/A-MNT/versions/3.txt', '/-/object/TEST/mntner/A-MNT?version=3'],
  ['/test/mntner/A-MNT?as-of=2026-01-01', '/-/object/TEST/mntner/A-MNT?as-of=2026-01-01'],
  [
    '/search.xml?query-string=A-MNT&inverse-attribute=mnt-by,mnt-ref&type-filter=route&source=TEST&flags=rB',
    '/-/query?q=A-MNT&type=route&source=TEST&inverse=mnt-by&inverse=mnt-ref&flag=no-filtering&flag=no-referenced',
  ],
  ['/search?query-string=192.0.2.1&flags=exact', '/-/query?q=192.0.2.1&level=exact'],
  ['https://rest.example.net/abuse-contact/192.0.2.0%2F24', '/-/query?q=192.0.2.0%2F24'],
  ['https://rest.example.net/geolocation?ipkey=192.0.2.1', '/-/query?q=192.0.2.1'],
  ['https://apps.example.net/db-web-ui/lookup?source=test&type=mntner&key=A-MNT', '/-/object/TEST/mntner/A-MNT'],
  ['https://apps.example.net/db-web-ui/query?searchtext=192.0.2.1', '/-/query?q=192.0.2.1'],
])('%s is of the page %s', (url, page) => {
  expect(readUrl(url)).toEqual({ page });
});

test.each([
  ['https://www.example.net/a/b/c', 'www.example.net'],
  ['hxxp://192[.]0[.]2[.]77:8080/malware.exe', '192.0.2.77'],
  ['http://[2001:db8::1]/', '2001:db8::1'],
])('%s names the host %s', (url, host) => {
  expect(readUrl(url)).toEqual({ host });
});

test.each(['', 'AS64500', '192.0.2.0/24', '/', '/24', 'http://', 'rest.example.net', '/nothing/here/known'])(
  '%j is no URL',
  (text) => {
    expect(readUrl(text)).toBeUndefined();
  },
);

test.each(['//evil.example/-/object/x', 'javascript:alert(1)', 'https://x//evil.example'])(
  '%j leads to no other site',
  (text) => {
    const read = readUrl(text);
    expect(read === undefined || 'host' in read).toBe(true);
  },
);
