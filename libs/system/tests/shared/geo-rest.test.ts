import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Answer, type Rest, restClient } from '../harness/rest.js';

// The sample registry is only read here.
const system = inject('sharedSystem');
let rest: Rest & { close(): void };

beforeAll(async () => {
  rest = restClient(system);
});

afterAll(async () => {
  rest?.close();
});

const contentType = (answer: Answer) => answer.headers['content-type']?.replaceAll(' ', '').toLowerCase();

describe('geolocation', () => {
  const inetnum = '/test/inetnum/192.0.2.0 - 192.0.2.255';

  test.each(['ipkey=192.0.2.7', 'key=192.0.2.7', 'ipkey=192.0.2.0/24', 'ipkey=192.0.2.0%20-%20192.0.2.15'])(
    '?%s finds what the enclosing inetnum says, and links to it',
    async (query) => {
      const answer = await rest(`/geolocation.json?${query}`);
      const document = JSON.parse(answer.text);
      const link = { type: 'locator', href: `${system.https}${inetnum}` };
      expect(answer.status).toBe(200);
      expect(document.service).toEqual({ name: 'geolocation-finder' });
      expect(document['geolocation-attributes']).toEqual({
        location: [{ value: '52.37 4.89', link }],
        language: [{ value: 'en', link }],
        geofeed: [{ value: 'https://example.net/geofeed.csv', link }],
      });
    },
  );

  test('finds what the organisation of an object says, over HTTP too', async () => {
    const answer = await rest('/geolocation.json?ipkey=2001:db8::7', { plain: true });
    expect(JSON.parse(answer.text)['geolocation-attributes']).toEqual({
      language: [{ value: 'en', link: { type: 'locator', href: `${system.http}/test/organisation/ORG-EX1-TEST` } }],
    });
  });

  test('is XML by default, and text', async () => {
    const xml = await rest('/geolocation?ipkey=192.0.2.7');
    expect([xml.status, contentType(xml)]).toEqual([200, 'application/xml']);
    expect(xml.text).toMatch(/<location value="52\.37 4\.89">\s*<link xlink:type="locator" xlink:href="/);
    const text = await rest('/geolocation.txt?ipkey=192.0.2.7');
    expect([text.status, text.text]).toEqual([
      200,
      expect.stringMatching(/^geoloc: {9}52\.37 4\.89\nlanguage: {7}en\n/),
    ]);
  });

  test.each([
    ['', 400, 'ipkey is required'],
    ['?ipkey=', 400, 'ipkey is required'],
    ['?ipkey=nonsense', 400, 'Invalid argument: nonsense'],
    ['?ipkey=AS64500', 400, 'Invalid argument: AS64500'],
    ['?ipkey=198.51.100.1', 404, 'No geolocation data was found for the given ipkey: 198.51.100.1'],
    ['?ipkey=192.0.2.7&override=hush-7261', 400, "Parameter 'override'"],
  ])('%s is %d in plain text (R12)', async (query, status, text) => {
    for (const accept of ['application/xml', 'application/json', 'text/plain']) {
      const answer = await rest(`/geolocation${query}`, { accept });
      expect([answer.status, contentType(answer)]).toEqual([status, 'text/plain;charset=utf-8']);
      expect(answer.text).toContain(text);
      expect(answer.text).not.toContain('hush-7261');
    }
  });
});

describe('abuse contact', () => {
  test.each([
    ['192.0.2.7', '192.0.2.0 - 192.0.2.255'],
    ['192.0.2.0/24', '192.0.2.0 - 192.0.2.255'],
    ['192.0.2.0%2F25', '192.0.2.0 - 192.0.2.255'],
    ['192.0.2.0%20-%20192.0.2.15', '192.0.2.0 - 192.0.2.255'],
    ['2001:db8:1::/48', '2001:db8::/32'],
    ['as64500', 'AS64500'],
  ])('of %s is found by %s', async (resource, key) => {
    const answer = await rest(`/abuse-contact/${resource}.json`);
    expect([answer.status, contentType(answer)]).toEqual([200, 'application/json']);
    expect(JSON.parse(answer.text)).toEqual({
      service: 'abuse-contact',
      link: { type: 'locator', href: `${system.https}/abuse-contact/${resource}` },
      parameters: { 'primary-key': { value: key } },
      'abuse-contacts': { key: 'EN1-TEST', email: 'abuse@example.net', suspect: false, 'org-id': 'ORG-EX1-TEST' },
      'terms-and-conditions': { type: 'locator', href: expect.any(String) },
    });
  });

  test('is XML by default, and text', async () => {
    const xml = await rest('/abuse-contact/AS64500');
    expect([xml.status, contentType(xml)]).toEqual([200, 'application/xml']);
    expect(xml.text).toContain('<abuse-resources service="abuse-contact" xmlns:xlink="http://www.w3.org/1999/xlink">');
    expect(xml.text).toContain('<abuse-contacts key="EN1-TEST" email="abuse@example.net" suspect="false"');
    const text = await rest('/abuse-contact/AS64500', { accept: 'text/plain' });
    expect([text.status, text.text]).toEqual([200, expect.stringContaining('email:          abuse@example.net\n')]);
  });

  test.each([
    ['198.51.100.1', 404, 'No abuse contact found for 198.51.100.1'],
    ['AS64501', 404, 'No abuse contact found for AS64501'],
    ['nonsense', 400, 'Invalid argument: nonsense'],
    ['EXAMPLE-MNT', 400, 'Invalid argument: EXAMPLE-MNT'],
  ])('of %s: %d with a message (R11)', async (resource, status, message) => {
    const json = await rest(`/abuse-contact/${resource}.json`);
    expect([json.status, JSON.parse(json.text)]).toEqual([status, { message }]);
    const xml = await rest(`/abuse-contact/${resource}`);
    expect([xml.status, xml.text]).toEqual([status, expect.stringContaining(`<message>${message}</message>`)]);
    const text = await rest(`/abuse-contact/${resource}.txt`);
    expect([text.status, text.text]).toEqual([status, message]);
  });
});

test('an unknown source is said before an impossible key and an unknown type', async () => {
  for (const path of ['/NOWHERE/person/X', '/NOWHERE/nonsense/X', '/NOWHERE/nonsense/X/versions/x']) {
    const answer = await rest(path, { accept: 'application/json' });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("Invalid source '%s'")]);
  }
});
