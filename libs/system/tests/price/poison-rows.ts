import { followed, type Requested, whoisBytes, whoisLine } from './asked.js';
import { get, json, post } from './documents.js';
import { poison } from './poison.js';
import { type Budget, bulk, type Row } from './row.js';
import type { Sent } from './send.js';
import { person } from './write-rows.js';

/** For one large object, or for one page of an answer that continues elsewhere. */
const page: Budget = { held: 200, spent: 700 };
/** For one large object, or for a page of them, with other work between. */
const inTurns: Budget = { held: 100, spent: 700 };
/** For the largest expansion that a client gets. */
const expansion: Budget = { held: 100, spent: 3_000 };
/** For all changes, among them the largest objects. */
const journal: Budget = { held: 100, spent: 3_000 };
/** For a search of ten thousand objects. */
const search: Budget = { held: 400, spent: 3_000 };
/** For two large versions without a common line. */
const difference: Budget = { held: 100, spent: 1_000 };
/** For a search of many objects as they once were. */
const past: Budget = { held: 100, spent: 3_000 };
/** For a write that causes notifications. */
const reported: Budget = { held: 150, spent: 1_200 };

/** Requests for the largest objects that accounts can store (see poison.ts). */
export function poisonRows(): Row[] {
  const { set, routedSet, routedAsn } = poison;
  const expanded = `/TEST/as-set/${encodeURIComponent(set)}/expanded`;
  const routed = `/TEST/as-set/${encodeURIComponent(routedSet)}/expanded`;
  const entity = `/TEST/person/${poison.person}`;
  return [
    row('!i', 'two million members', expansion, [whoisLine(`!i${set},1`)]),
    row('!i', 'the members of one set', expansion, [whoisLine(`!i${set}-1`)]),
    row('!a', 'two million members', expansion, [`!a${set}`, `!a4${set}`, `!a6${set}`].map(whoisLine)),
    row('!a', 'many routes of one AS number', expansion, [`!a${routedSet}`, `!a6${routedSet}`].map(whoisLine)),
    row('!6', 'many routes of one AS number', expansion, [whoisLine(`!6${routedAsn}`)]),
    row('!r', 'many routes', search, [whoisLine('!r2001:db8::/32,M'), whoisLine('!r2001:db8::/32,o')]),
    row('!o', 'everything of a mntner', search, [whoisLine('!oEXAMPLE-MNT')]),
    row('!m', 'the largest set', page, [whoisLine(`!mas-set,${set}-1`)]),
    row('!i', 'six lines at once', { ...expansion, spent: 9_000 }, [
      whoisBytes('six expansions', `!!\n${`!i${set},1\n`.repeat(6)}!q\n`),
    ]),
    row('RIPE style', 'the largest set', page, [whoisLine(`-r ${set}-1`)]),
    row('RIPE style', 'all routes of an AS number', search, [whoisLine(`-r -i origin ${routedAsn}`)]),
    row('RIPE style', 'routes below a prefix', search, [whoisLine('-r -M 2001:db8::/32')]),
    ...['10.64.0.0/16', '10.65.0.0/16'].map((network) =>
      row('abuse contacts', `of networks inside large ones: ${network}`, page, [
        whoisLine(`-r -M ${network}`),
        get(`/search?query-string=${network}&flags=all-more&flags=no-referenced&abuse-contact&resource-holder`),
      ]),
    ),
    row('--list-versions', 'of a large object', page, [whoisLine(`--list-versions ${poison.person}`)]),
    row('--show-version', 'of a large object', page, [whoisLine(`--show-version 50 ${poison.person}`)]),
    row('--diff-versions', 'of a large object', difference, [whoisLine(`--diff-versions 50:51 ${poison.person}`)]),
    row('GET /v1/whois', 'two million members', expansion, [get(`/v1/whois?q=!i${set},1`)]),
    row('GET /search/expansion', 'two million members', expansion, [get(`/search/expansion?set=${set}`)]),
    row('GET /search/expansion', 'the same with prefixes', expansion, [get(`/search/expansion?set=${set}&prefixes`)]),
    ...['', '.txt', '?aggregate', '?by=origin', '.txt?by=origin', '?family=6'].map((tail) =>
      row('GET expanded', `two million members: ${tail}`, expansion, [get(`${expanded}${tail}`)]),
    ),
    row('GET expanded', 'many routes of one AS number', expansion, [
      ...['', '?aggregate', '?by=origin', '.txt?by=origin&aggregate'].map((tail) => get(`${routed}${tail}`)),
    ]),
    row('GET /rdap/history', 'of many large versions', page, [get(`/rdap/history/entity/${poison.person}`)]),
    row('GET /rdap/entity', 'the newest of many large versions', inTurns, [get(`/rdap/entity/${poison.person}`)]),
    row('GET /rdap/entities', 'large persons', inTurns, [
      get('/rdap/entities?fn=Poison*'),
      get('/rdap/entities?fn=p*'),
    ]),
    row('GET /rdap/ips', 'many routes around', page, [get('/rdap/ip/2001:db8::/32')]),
    row('GET versions', 'the list of many large versions', page, [get(`${entity}/versions`)]),
    row('GET versions', 'one of many large versions', page, [get(`${entity}/versions/50`)]),
    row('GET versions', 'the time map of many large versions', page, [get(`${entity}/versions/timemap`)]),
    row('as-of', 'a lookup of many large versions', page, [get(`${entity}?as-of=1`), get(`${entity}?as-of=99`)]),
    ...[
      'EXAMPLE-MNT&inverse-attribute=mnt-by&type-filter=as-set&limit=10',
      '2001%3Adb8%3A%3A%2F32&flags=all-more',
      poison.person,
    ].map((query) =>
      row('as-of', `a search: ${query}`, past, [get(`/search?query-string=${query}&as-of=99&flags=no-referenced`)]),
    ),
    row('GET /search', 'ten of the largest sets', search, [
      get('/search?query-string=EXAMPLE-MNT&inverse-attribute=mnt-by&type-filter=as-set&limit=10&flags=no-referenced'),
    ]),
    row('GET /search', 'all routes of a mntner by address', search, [
      ...['', '&limit=10', '&inverse-attribute=mnt-lower'].map((more) =>
        get(
          `/search?query-string=EXAMPLE-MNT&inverse-attribute=mnt-by&type-filter=route6&order=address&flags=no-referenced${more}`,
        ),
      ),
    ]),
    {
      ...row('GET /search', 'a filter of everything of a mntner', page, [
        ...['zz', '2001:db8:ffff::/48&order=address', '2001+db8+route6+as65550+zz&inverse-attribute=mnt-lower'].map(
          (text) => get(`/search?query-string=EXAMPLE-MNT&inverse-attribute=mnt-by&contains=${text}`),
        ),
      ]),
      outcome: 'taken',
    },
    row('!r', 'all routes made from ROAs', search, [
      atLeast(10_000_000, whoisBytes('routes made from ROAs', '!!\n!sRPKI\n!r0.0.0.0/0,M\n!r10.0.0.0/24,o\n!q\n')),
    ]),
    row('!g', 'the ROAs of one AS number', expansion, [
      atLeast(600_000, whoisBytes('ROAs of an AS number', `!!\n!sRPKI\n!g${roaOrigin}\n!q\n`)),
    ]),
    row('GET /search/words', 'a word of many objects', page, [
      ...['poison', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '2001', 'AS65550'].map((word) =>
        get(`/search/words?query-string=${word}&limit=100`),
      ),
    ]),
    row('GET /search/suggestions', 'the beginning of many keys', page, [
      ...['2', '2001:db8', 'as6', 'p'].map((text) =>
        get(`/search/suggestions?beginning=${encodeURIComponent(text)}&limit=20`),
      ),
    ]),
    row('GET /search/space', 'many routes', page, [get('/search/space?query-string=2001:db8::/32&parts=256')]),
    row('POST /bulk-lookup', 'many routes', bulk, [
      post('/bulk-lookup', 'text/plain', Array.from({ length: 10_000 }, (_, n) => routeOf(n)).join('\n')),
    ]),
    row('GET changes', 'all changes, with their objects', journal, [
      followed('/TEST/changes?after=0&payload=object', 3_000_000),
      followed('/TEST/changes?after=0', 3_000_000),
    ]),
    row('GET mirrors', 'the largest files', page, [
      get('/dumps/test/test.db.gz'),
      get('/dumps/test/split/test.db.as-set.gz'),
    ]),
    ...mailRows(),
  ];
}

/** Writes that notify the maximum number of addresses. */
function mailRows(): Row[] {
  let writes = 0;
  const notified = () => {
    writes++;
    const addresses = Array.from({ length: 100 }, (_, n) => ['notify', `stranger${writes}-${n}@example.net`] as const);
    const named = person(...addresses).map(([name, value]) => [name, name === 'nic-hdl' ? 'PN1-TEST' : value] as const);
    return named;
  };
  const put = (): Sent => ({ ...post('/TEST/person/PN1-TEST', 'application/json', json(notified())), method: 'PUT' });
  return [
    {
      ...row('mail', 'a person with a hundred addresses', reported, []),
      sender: 'maintainer',
      sends: () => [post('/TEST/person', 'application/json', json(notified()))],
    },
    {
      ...row('mail', 'each time a hundred other addresses', reported, []),
      sender: 'maintainer',
      sends: () => [put(), put()],
    },
  ];
}

/** A request whose answer fails when it is smaller: port 43 closes the connection instead of an incomplete answer. */
function atLeast(bytes: number, request: Requested): Requested {
  return {
    ...request,
    async ask(system) {
      const received = await request.ask(system);
      return received.bytes >= bytes ? received : { ...received, status: 503 };
    },
  };
}

const roaOrigin = 'AS64999';

/** The ROAs of the system: one AS number has all of them. */
export function manyRoas() {
  return Array.from({ length: 65_536 }, (_, n) => {
    return { asn: roaOrigin, prefix: `10.${n >> 8}.${n & 255}.0/24`, maxLength: 24, ta: 'ripe' };
  });
}

function routeOf(n: number): string {
  return `2001:db8:${n.toString(16)}::/48`;
}

function row(operation: string, what: string, budget: Budget, requested: readonly (Requested | Sent)[]): Row {
  return { operation, what, outcome: 'answered', budget, sender: 'anonymous', sends: () => requested };
}
