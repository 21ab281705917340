import { expect, test } from 'vitest';
import { requestUrl } from './registry.js';

const base = 'https://r.example.net';

test.each([
  ['/rdap/ip/192.0.2.0/24', '/rdap/ip/192.0.2.0/24'],
  ['/rdap/ip/192.0.2.0%20-%20192.0.2.9', '/rdap/ip/192.0.2.0%20-%20192.0.2.9'],
  ['/rdap/entity/a{7}|`^', '/rdap/entity/a%7B7%7D%7C%60%5E'],
  ['/rdap/domains?name=%zz', '/rdap/domains?name=%25zz'],
  ['/rdap/domains?name=#a#b', '/rdap/domains?name=%23a%23b'],
  ['/rdap/entity/\u00e9', '/rdap/entity/%C3%A9'],
])('%s is shown as %s', (requested, shown) => {
  const url = requestUrl({ link: `${base}${requested}`, base });
  expect(url).toBe(`${base}${shown}`);
  expect(new URL(url).href).toBe(url);
});
