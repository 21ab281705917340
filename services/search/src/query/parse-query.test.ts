import { Severity } from '@cadastre/proto/registry';
import { queryMessages } from '@cadastre/query';
import { describe, expect, test } from 'vitest';
import { parseQuery } from './parse-query.js';
import { inverseOrder, type QueryPlan } from './plan.js';

const known = { main: 'EXAMPLE', mirrors: ['OTHER-GRS', 'THIRD-GRS'] };

const question = {
  query: '',
  sources: [],
  types: [],
  inverseAttributes: [],
  flags: [],
  includeTags: [],
  excludeTags: [],
};

type Requested = Partial<{
  [name in keyof typeof question]: (typeof question)[name] extends string ? string : string[];
}> & { readonly byAddress?: boolean; readonly contains?: string };

function parse(requested: Requested) {
  return parseQuery({ ...question, ...requested }, known);
}

function plan(requested: Requested) {
  const parsed = parse(requested);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.messages));
  return parsed.value;
}

function refusal(requested: Requested) {
  const parsed = parse(requested);
  return parsed.ok ? undefined : parsed.messages;
}

/** The types for which a query is made, in order. */
function searched(requested: Requested): string {
  const { search } = plan(requested);
  return (search.kind === 'direct' ? search.queries.map((query) => query.type) : search.types).join(' ');
}

function shownSources({ sources }: Pick<QueryPlan, 'sources'>): string[] {
  return sources.map(({ names, store, part = '' }) => {
    const requested = names.join();
    return `${requested}${requested === store ? '' : ` in ${store}`} ${part}`.trimEnd();
  });
}

const names = 'organisation role person';

describe('types tried for a search term', () => {
  test.each([
    ['192.0.2.0/24', 'inetnum route'],
    ['192.0.2.5', 'inetnum route'],
    ['192.0.2.0 - 192.0.2.63', 'inetnum route'],
    ['192.0.2.0-192.0.2.63', 'inetnum route'],
    ['10/8', 'inetnum route'],
    ['2001:db8::/32', 'inet6num route6'],
    ['[2001:db8::]/32', 'inet6num route6'],
    ['192.0.2.0/24AS64496', 'route'],
    ['192.0.2.0/24 as64496', 'route'],
    ['2001:db8::/32AS64496', 'route6'],
    ['AS64496', `inetnum inet6num as-block aut-num inet-rtr mntner ${names}`],
    ['AS64496 - AS64511', `as-block mntner ${names}`],
    ['AS64496-AS64511', `inetnum inet6num as-block inet-rtr mntner ${names}`],
    ['AS-EXAMPLE', `inetnum inet6num as-set inet-rtr mntner ${names}`],
    ['AS64496:AS-EXAMPLE', `as-set mntner ${names}`],
    ['RS-EXAMPLE', `inetnum inet6num route-set inet-rtr mntner ${names}`],
    ['FLTR-EXAMPLE', `inetnum inet6num inet-rtr filter-set mntner ${names}`],
    ['PRNG-EXAMPLE', `inetnum inet6num inet-rtr peering-set mntner ${names}`],
    ['RTRS-EXAMPLE', `inetnum inet6num inet-rtr rtr-set mntner ${names}`],
    ['EXAMPLE-MNT', `inetnum inet6num inet-rtr mntner ${names}`],
    ['ORG-EX1-EXAMPLE', `inetnum inet6num inet-rtr mntner ${names}`],
    ['Jane Doe', `mntner ${names}`],
    ['noc@example.net', `mntner irt ${names}`],
    ['2.0.192.in-addr.arpa', `inet-rtr domain mntner ${names}`],
    ['8.b.d.0.1.0.0.2.ip6.arpa.', `inet-rtr domain mntner ${names}`],
    ['4.3.2.1.e164.arpa', `inet-rtr domain mntner ${names}`],
    ['rtr1.example.net', `inet-rtr mntner ${names}`],
    ['PGPKEY-ABCD1234', `inetnum inet6num inet-rtr mntner key-cert ${names}`],
    ['irt-EXAMPLE', `inetnum inet6num inet-rtr mntner irt ${names}`],
    ['POEM-EXAMPLE', `inetnum inet6num inet-rtr poem mntner ${names}`],
    ['FORM-EXAMPLE', `inetnum inet6num inet-rtr poetic-form mntner ${names}`],
    ['12345', 'inetnum inet6num inet-rtr role person'],
  ])('%s: %s', (query, types) => {
    expect(searched({ query })).toBe(types);
  });

  test.each(['(192.0.2.1)', '...', '192.0.2.0 - 192.0.1.0'])('%s: none', (query) => {
    expect(refusal({ query })).toEqual([queryMessages.invalidKey()]);
  });

  test.each([
    [{ query: '192.0.2.1', types: ['domain'] }, ''],
    [{ query: '192.0.2.1', types: ['inetnum,rt'] }, 'inetnum route'],
    [{ query: '192.0.2.1', types: ['*in', 'ROUTE', ''] }, 'inetnum route'],
    [{ query: '192.0.2.1', flags: ['d'] }, 'inetnum route domain'],
    [{ query: '2.0.192.in-addr.arpa', flags: ['d'] }, 'inetnum route domain'],
    [{ query: '8.b.d.0.1.0.0.2.ip6.arpa', flags: ['reverse-domain'] }, 'inet6num route6 domain'],
    [{ query: 'AS64496', flags: ['resource'] }, 'inetnum inet6num aut-num'],
    [{ query: 'doe', flags: ['no-personal'] }, 'inetnum inet6num inet-rtr mntner organisation'],
  ])('%j: %s', (requested, types) => {
    expect(searched(requested)).toBe(types);
  });

  test('a filter that leaves no type for the term', () => {
    expect(refusal({ query: '192.0.2.1', types: ['person'] })).toEqual([queryMessages.invalidKey()]);
    expect(refusal({ query: '192.0.2.1', types: ['person'], flags: ['d'] })).toEqual([queryMessages.invalidKey()]);
    expect(refusal({ query: 'doe', types: ['person'], flags: ['no-personal'] })).toEqual([queryMessages.invalidKey()]);
  });
});

describe('queries to the index', () => {
  const range = { space: 'ipv4', first: 0xc0000200n, last: 0xc00002ffn };

  function queries(requested: Requested) {
    const { search } = plan(requested);
    return search.kind === 'direct' ? search.queries : [];
  }

  test.each([
    [[], 'default'],
    [['x'], 'exact'],
    [['one-less'], 'one-less'],
    [['L'], 'all-less'],
    [['m'], 'one-more'],
    [['all-more'], 'all-more'],
  ])('flags %j: mode %s', (flags, mode) => {
    expect(queries({ query: '192.0.2.0/24', types: ['inetnum'], flags })).toEqual([
      { kind: 'range', type: 'inetnum', range, mode },
    ]);
  });

  test('an origin in the term makes the default mode exact and keeps the other modes', () => {
    const requested = (flags: string[]) => queries({ query: '192.0.2.0/24AS64496', types: ['route'], flags });
    const expected = { kind: 'range', type: 'route', range, origin: 'as64496' };
    expect(requested([])).toEqual([{ ...expected, mode: 'exact' }]);
    expect(requested(['l'])).toEqual([{ ...expected, mode: 'one-less' }]);
  });

  test('a reverse domain is a range of zones; the mode counts', () => {
    expect(queries({ query: '2.0.192.IN-ADDR.arpa.', types: ['domain'], flags: ['M'] })).toEqual([
      { kind: 'range', type: 'domain', range, mode: 'all-more' },
    ]);
  });

  test.each([
    [
      'person',
      'Jane  DOE',
      [['key=jane doe'], ['words=doe jane'], ['words=', 'word=doe', 'word=jane'], ['e-mail=jane doe']],
    ],
    [
      'organisation',
      'ORG-EX1-EXAMPLE',
      [['key=org-ex1-example'], ['word=org-ex1-example'], ['e-mail=org-ex1-example']],
    ],
    [
      'organisation',
      'Example Inc',
      [['words=example inc'], ['words=', 'word=example', 'word=inc'], ['e-mail=example inc']],
    ],
    ['irt', 'irt-EXAMPLE', [['key=irt-example'], ['e-mail=irt-example']]],
    ['mntner', 'EXAMPLE-MNT', [['key=example-mnt']]],
    ['inet-rtr', 'RTR1.example.net.', [['key=rtr1.example.net']]],
    ['domain', '4.3.2.1.E164.arpa', [['key=4.3.2.1.e164.arpa']]],
    ['domain', 'IN-ADDR.arpa', [['key=in-addr.arpa']]],
    ['domain', 'ip6.arpa.', [['key=ip6.arpa']]],
  ])('%s by %s', (type, query, anyOf) => {
    expect(queries({ query, types: [type] })).toEqual([{ kind: 'terms', type, anyOf, order: 'key' }]);
  });

  test('networks by name, in the order of addresses; as-blocks that cover', () => {
    expect(queries({ query: 'Example-Net', types: ['inetnum'] })).toEqual([
      { kind: 'terms', type: 'inetnum', anyOf: [['netname=example-net']], order: 'address' },
    ]);
    expect(queries({ query: 'as64496', types: ['as-block'] })).toEqual([
      { kind: 'covering', type: 'as-block', range: { space: 'as', first: 64496n, last: 64496n } },
    ]);
  });
});

describe('refusals', () => {
  test.each([
    [{ query: 'x', sources: ['NOWHERE'] }, queryMessages.invalidSource('NOWHERE')],
    [{ query: 'x', sources: ['EXAMPLE,OTHER-GRS'] }, queryMessages.invalidSource('EXAMPLE,OTHER-GRS')],
    [{ query: 'x', sources: [''] }, queryMessages.invalidSource('')],
    [{ query: ' \t' }, queryMessages.emptyQuery()],
    [{ query: '-r EXAMPLE-MNT' }, queryMessages.flagsInQuery()],
    [{ query: '192.0.2.0 -192.0.2.9' }, queryMessages.flagsInQuery()],
    [{ query: 'x', flags: ['show-foo'] }, queryMessages.invalidFlag('h', 'show-foo')],
    [{ query: 'x', flags: ['Fx', 'r,B'] }, queryMessages.invalidFlag(',', 'r,B')],
    [{ query: 'x', flags: ['rF'] }, queryMessages.disallowedFlag('brief')],
    [{ query: 'x', flags: ['q'] }, queryMessages.disallowedFlag('q')],
    [{ query: 'x', flags: ['i'] }, queryMessages.disallowedFlag('inverse')],
    [{ query: 'x', flags: ['types'] }, queryMessages.disallowedFlag('types')],
    [{ query: 'x', flags: ['EXACT'] }, queryMessages.invalidFlag('E', 'EXACT')],
    [{ query: 'x', types: ['inetnum,foo'] }, queryMessages.unknownType('foo')],
    [{ query: 'x', types: [''] }, queryMessages.unknownType('')],
    [{ query: 'x', inverseAttributes: ['foo'] }, queryMessages.unknownAttribute('foo')],
    [{ query: 'x', inverseAttributes: ['mb', 'netname'] }, queryMessages.notSearchable('netname')],
    [{ query: 'x@example.net', inverseAttributes: ['e-mail'] }, queryMessages.notSearchable('e-mail')],
    [{ query: 'SSO x', inverseAttributes: ['auth'] }, queryMessages.credentialSearch()],
    [{ query: 'md5-pw x', inverseAttributes: ['mb'] }, queryMessages.credentialSearch()],
    [{ query: '192.0.2.0/24', flags: ['x', 'L'] }, queryMessages.duplicateModes()],
    [
      { query: 'AS64496', flags: ['resource'], sources: ['EXAMPLE'] },
      queryMessages.conflictingFlags('--resource', '-s, --sources'),
    ],
    [
      { query: 'AS64496', flags: ['resource'], inverseAttributes: ['origin'] },
      queryMessages.conflictingFlags('--resource', '-i, --inverse'),
    ],
    [
      { query: 'x', flags: ['valid-syntax', 'no-valid-syntax'] },
      queryMessages.conflictingFlags('--valid-syntax', '--no-valid-syntax'),
    ],
    [
      { query: 'x', includeTags: ['a', 'Unref'], excludeTags: ['unref'] },
      queryMessages.conflictingFlags('--filter-tag-include (unref)', '--filter-tag-exclude (unref)'),
    ],
    [{ query: '0/0', flags: ['M'] }, queryMessages.tooWide()],
    [{ query: '::/0', flags: ['m'] }, queryMessages.tooWide()],
    [{ query: 'a '.repeat(61) }, queryMessages.tooManyWords()],
  ])('%j', (requested, message) => {
    expect(refusal(requested)).toEqual([message]);
  });

  test('every attribute that cannot be searched is named', () => {
    expect(refusal({ query: 'x', inverseAttributes: ['descr,remarks'] })).toEqual([
      queryMessages.notSearchable('descr'),
      queryMessages.notSearchable('remarks'),
    ]);
  });

  test('messages are the templates that clients of the dialect know', () => {
    expect(queryMessages.noEntries(['EXAMPLE', 'OTHER-GRS'])).toMatchObject({
      text: 'ERROR:101: no entries found\n\nNo entries found in source %s.\n',
      args: ['EXAMPLE,OTHER-GRS'],
    });
    expect(queryMessages.unknownType('x').text).toBe("ERROR:103: unknown object type '%s'\n");
    expect(queryMessages.disallowedFlag('brief')).toMatchObject({
      text: "Disallowed search flag '%s'",
      args: ['brief'],
    });
  });
});

describe('the rest of a query', () => {
  test.each([
    [{}, ['EXAMPLE']],
    [{ sources: ['other-grs', 'Example', 'OTHER-GRS'] }, ['OTHER-GRS', 'EXAMPLE authoritative']],
    [{ sources: ['example-nonauth'] }, ['EXAMPLE-NONAUTH in EXAMPLE non-authoritative']],
    [{ sources: ['EXAMPLE-GRS'] }, ['EXAMPLE-GRS in EXAMPLE authoritative']],
    [
      { sources: ['EXAMPLE-NONAUTH', 'OTHER-GRS', 'EXAMPLE', 'EXAMPLE-GRS'] },
      ['EXAMPLE-NONAUTH,EXAMPLE in EXAMPLE', 'OTHER-GRS', 'EXAMPLE-GRS in EXAMPLE authoritative'],
    ],
    [{ flags: ['resource'] }, ['EXAMPLE-GRS in EXAMPLE authoritative', 'OTHER-GRS', 'THIRD-GRS']],
  ])('sources of %j', (requested, sources) => {
    expect(shownSources(plan({ query: 'AS64496', ...requested }))).toEqual(sources);
  });

  test('a mirror with the name of our own mirror is that mirror', () => {
    const named = { main: 'EXAMPLE', mirrors: ['EXAMPLE-GRS'] };
    for (const requested of [{ sources: ['EXAMPLE-GRS'] }, { flags: ['resource'] }]) {
      const parsed = parseQuery({ ...question, query: 'AS64496', ...requested }, named);
      expect(parsed.ok && shownSources(parsed.value)).toEqual(['EXAMPLE-GRS']);
    }
  });

  test.each([
    ['AS64496', ['x'], true],
    ['AS64496', ['d'], true],
    ['AS64496', ['rB'], false],
    ['192.0.2.0/24', ['M'], false],
    ['192.0.2.0/24AS64496', ['x'], false],
    ['2.0.192.in-addr.arpa', ['L'], true],
    ['2.0.192.in-addr.arpa', ['L', 'd'], false],
  ])('%s with flags %j: warned that flags about addresses are useless: %s', (query, flags, isUseless) => {
    expect(plan({ query, flags }).warnings).toEqual(isUseless ? [queryMessages.uselessFlag()] : []);
    expect(queryMessages.uselessFlag()).toMatchObject({ severity: Severity.SEVERITY_WARNING, args: [] });
  });

  test('flags are returned by their long names, each once, in order', () => {
    expect(plan({ query: 'AS64496', flags: ['rBG', '', 'no-filtering', 'c', 'C'] }).flags).toEqual([
      'no-referenced',
      'no-filtering',
      'no-grouping',
      'irt',
      'no-irt',
    ]);
  });

  test.each([
    [[], { contacts: true, organisations: true, irts: false }],
    [['r', 'c'], { contacts: false, organisations: false, irts: true }],
    [['no-personal', 'show-personal'], { contacts: false, organisations: true, irts: false }],
    [['resource'], { contacts: false, organisations: false, irts: false }],
    [['c', 'C'], { contacts: true, organisations: true, irts: true }],
  ])('related objects with flags %j', (flags, related) => {
    expect(plan({ query: 'AS64496', flags }).related).toEqual(related);
  });

  test('a term is read as latin-1, without control characters, its words apart by one space', () => {
    const { search } = plan({ query: ' J\u00f6rg \u03a9\n x\u0007y ', types: ['person'] });
    expect(search).toMatchObject({
      queries: [{ anyOf: [['key=j\u00f6rg ? x?y'], expect.anything(), expect.anything(), expect.anything()] }],
    });
  });

  test('sixty words are accepted', () => {
    expect(refusal({ query: 'a '.repeat(60) })).toBeUndefined();
  });
});

describe('inverse lookups', () => {
  test('have the order of addresses on request, for networks and routes', () => {
    const { search } = plan({ query: 'A-MNT', inverseAttributes: ['mb'], byAddress: true });
    const orders = (['inetnum', 'route6', 'domain', 'mntner'] as const).map((type) => {
      return search.kind === 'inverse' ? inverseOrder(search, type) : undefined;
    });
    expect(orders).toEqual(['address', 'address', 'key', 'key']);
  });

  test.each([
    [' Caf\u00e9  10 ', { words: ['cafe', '10'] }],
    ['AS64500', { words: ['as64500'] }],
    [
      '192.0.2.0 - 192.0.2.9',
      { words: ['192.0.2.0', '-', '192.0.2.9'], range: { first: 0xc0000200n, last: 0xc0000209n } },
    ],
    ['2001:db8::/127', { words: ['2001:db8::/127'], range: { space: 'ipv6', last: (0x20010db8n << 96n) | 1n } }],
  ])('have a filter, %j, and then no related objects', (contains, filter) => {
    const { related, ...rest } = plan({ query: 'A-MNT', inverseAttributes: ['mb'], flags: ['c'], contains });
    expect(rest.filter).toMatchObject(filter);
    expect(related).toEqual({ contacts: false, organisations: false, irts: false });
  });

  function terms(query: string, ...inverseAttributes: string[]) {
    const { search } = plan({ query, inverseAttributes });
    return search.kind === 'inverse' ? search.terms : [];
  }

  test.each(['pn', 'person', '*pn'])('%s means every contact', (name) => {
    const attributes = terms('AB1-TEST', name).map((term) => term.kind === 'term' && term.attribute);
    expect(attributes).toEqual(['abuse-c', 'admin-c', 'tech-c', 'zone-c', 'author', 'ping-hdl']);
  });

  test.each([
    ['mb', 'Example-MNT', 'mnt-by=example-mnt', [{ type: 'mntner', key: 'example-mnt' }]],
    ['mbrs-by-ref', 'ANY', 'mbrs-by-ref=any', []],
    ['origin', 'AS64496', 'origin=as64496', []],
    ['at', 'PGPKEY-ABCD1234', 'auth=pgpkey-abcd1234', []],
    ['form', 'FORM-X', 'form=form-x', [{ type: 'poetic-form', key: 'form-x' }]],
    ['*og', 'ORG-EX1-TEST', 'org=org-ex1-test', [{ type: 'organisation', key: 'org-ex1-test' }]],
  ])('%s %s', (name, query, term, targets) => {
    const found = terms(query, name).map(
      (one) => one.kind === 'term' && [`${one.attribute}=${one.value}`, one.targets],
    );
    expect(found).toEqual([[term, targets]]);
  });

  test('name servers are found by their beginning; lists are split and repetitions dropped', () => {
    expect(terms('NS1.example.', 'ns,nserver', 'ns')).toEqual([{ kind: 'host', prefix: 'ns1.example' }]);
  });

  test('all types are searched, whatever the shape of the value', () => {
    expect(searched({ query: '(x)', inverseAttributes: ['mb'] }).split(' ')).toHaveLength(21);
    expect(searched({ query: 'x', inverseAttributes: ['mb'], types: ['poem'], flags: ['no-personal'] })).toBe('poem');
  });
});
