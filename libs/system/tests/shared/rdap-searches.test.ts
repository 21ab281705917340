import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Rest, restClient } from '../harness/rest.js';

// The sample registry is only read here.
const system = inject('sharedSystem');
let rest: Rest & { close(): void };

beforeAll(() => {
  rest = restClient(system);
});

afterAll(() => rest?.close());

describe('searches by RDAP', () => {
  test.each<[string, string, string[]]>([
    ['entities?fn=example*', 'entitySearchResults', ['EN1-TEST', 'ORG-EX1-TEST']],
    ['entities?handle=ORG-EX1', 'entitySearchResults', ['ORG-EX1-TEST']],
    ['ips?name=example-*', 'ipSearchResults', ['192.0.2.0 - 192.0.2.255', '2001:db8::/32']],
    ['ips?handle=192.0.2.*', 'ipSearchResults', ['192.0.2.0 - 192.0.2.255']],
    ['autnums?handle=64500', 'autnumSearchResults', ['AS64500']],
    ['domains?name=2.0.*arpa', 'domainSearchResults', ['2.0.192.in-addr.arpa']],
  ])('%s finds in %s: %j', async (path, member, handles) => {
    const { status, text } = await rest(`/rdap/${path}`);
    const document = JSON.parse(text);
    expect([status, document[member]?.map(({ handle }: { handle: string }) => handle)]).toEqual([200, handles]);
  });

  // Other tests make objects with the same contacts.
  test.each<[string, string, string[]]>([
    ['ips/reverse_search/entity?handle=ORG-EX1-TEST', 'ipSearchResults', ['192.0.2.0 - 192.0.2.255', '2001:db8::/32']],
    [
      'ips/reverse_search/entity?handle=EN1-TEST&role=technical&count=true',
      'ipSearchResults',
      ['0.0.0.0 - 255.255.255.255', '192.0.2.0 - 192.0.2.255', '2001:db8::/32', '::/0'],
    ],
    ['domains/reverse_search/entity?handle=EN1-TEST&role=technical', 'domainSearchResults', ['2.0.192.in-addr.arpa']],
    ['autnums/reverse_search/entity?handle=EXAMPLE-MNT&role=registrant', 'autnumSearchResults', ['AS64500']],
  ])('%s finds in %s at least: %j', async (path, member, handles) => {
    const { status, text } = await rest(`/rdap/${path}`);
    const found = JSON.parse(text)[member]?.map(({ handle }: { handle: string }) => handle);
    expect([status, found]).toEqual([200, expect.arrayContaining(handles)]);
  });
});
