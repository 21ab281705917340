import { hostname } from 'node:os';
import { Operation } from '@cadastre/proto/registry';
import { InvalidRoutes, type SearchRequest, type SearchResponse } from '@cadastre/proto/search';
import { queryMessages } from '@cadastre/query';
import { failureMessage, ServiceError } from '@cadastre/service';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { page, type RunningWhois, startWhois } from './ripe.fixture.js';

const inetnum = `inetnum:        192.0.2.0 - 192.0.2.255
netname:        EXAMPLE
admin-c:        AE1-TEST # the boss
source:         TEST # Filtered
`;
const person = 'person:         Alice Example\nnic-hdl:        AE1-TEST\nsource:         TEST\n';
const route = 'route:          192.0.2.0/24\norigin:         AS64500\nsource:         TEST\n';
const asSet = `as-set:         AS-EXAMPLE
members:        AS64500,  AS64501
mnt-by:         EXAMPLE-MNT
source:         TEST
`;
const irt = 'irt:            IRT-EXAMPLE\nabuse-mailbox:  irt@example.net\nsource:         TEST\n';
const emptyIrt = 'irt:            IRT-OTHER\nsource:         TEST\n';

let whois: RunningWhois;
/** The behaviour of search; each test sets it. */
let answer: (request: SearchRequest) => (SearchResponse | Error)[];
const requested: SearchRequest[] = [];

const versions = [
  { revision: 1, instant: new Date('2026-01-31T12:00:30Z'), operation: Operation.OPERATION_UPDATE },
  { revision: 2, instant: new Date('2026-02-01T08:00:00Z'), operation: Operation.OPERATION_DELETE },
  { revision: 4, instant: new Date('2026-02-02T08:00:00Z'), operation: Operation.OPERATION_UPDATE },
].map((one) => ({ ...one, serial: 1n, reason: '' }));
const texts = new Map([
  [1, 'aut-num:        AS64500\nas-name:        ONE\ndescr:          a\ndescr:          b\nsource:         TEST\n'],
  [4, 'aut-num:        AS64500\nas-name:        TWO\ndescr:          a\ndescr:          b\nsource:         TEST\n'],
]);

/** Whether the list of versions has only the newest one. */
let hasOlder = false;
/** Called when a version is read. */
let onVersion: (revision: number) => unknown = () => {};

beforeAll(async () => {
  whois = await startWhois({
    async *search(request) {
      requested.push(request);
      for (const one of answer(request)) {
        if (one instanceof Error) throw one;
        yield one;
      }
    },
    reader: {
      async listVersions({ key }) {
        if (key?.type !== 'aut-num') throw new ServiceError('not-found', 'never existed');
        return hasOlder ? { versions: versions.slice(-1), hasOlder } : { versions };
      },
      async getVersion({ revision }) {
        onVersion(revision);
        const text = texts.get(revision);
        if (text === undefined) throw new ServiceError('not-found', [failureMessage('ERROR:101: no entries found\n')]);
        const found = { source: 'TEST', type: 'aut-num', key: 'AS64500', text, revision, serial: 1n };
        const lastModified = new Date('2026-01-31T12:00:30Z');
        return { object: { ...found, contacts: [], tags: [], lastModified }, current: false };
      },
    },
  });
});
afterEach(() => void requested.splice(0));
afterAll(() => whois.stop());

const head = `% This is the TEST registry query service.
% The objects are in RPSL format.
%
% Terms and conditions: https://registry.example/terms

`;
const tail = /% This query was served by the TEST query service version \d+\.\d+\.\d+ \((.*)\)\n\n\n$/;

/** An answer without the parts of every answer. */
function body(text: string): string {
  expect(text.startsWith(head)).toBe(true);
  expect(tail.exec(text)?.[1]).toBe(hostname());
  return text.slice(head.length).replace(tail, '');
}

const note = `% Note: this output has been filtered.
%       To receive output for a database update, use the "-B" flag.

`;

describe('objects', () => {
  test('come with headers, the note about filtering, and abuse contacts', async () => {
    answer = () => {
      const all = page(inetnum, `+${person}`, route);
      const contact = { key: 'AB1-TEST', email: 'abuse@example.net', suspect: false, orgId: '' };
      all.objects[0]!.abuseContact = contact;
      return [all];
    };
    expect(body(await whois.ask('192.0.2.0/24'))).toBe(`${note}% Information related to '192.0.2.0 - 192.0.2.255'

% Abuse contact for '192.0.2.0 - 192.0.2.255' is 'abuse@example.net'

${inetnum}
${person}
% Information related to '192.0.2.0/24AS64500'

${route}
`);
    expect(requested[0]).toMatchObject({ query: '192.0.2.0/24', sources: [], flags: [], brief: true });
  });

  test('whose abuse contact does not work, or is missing, say so', async () => {
    answer = () => {
      const all = page(inetnum.replace(' # Filtered', ''), inetnum.replace(' # Filtered', ''));
      const contact = { key: 'AB1-TEST', email: 'abuse@example.net', suspect: true, orgId: 'ORG-EX1-TEST' };
      all.objects[0]!.abuseContact = contact;
      return [all];
    };
    const text = body(await whois.ask('-B 192.0.2.0/24'));
    expect(text).toContain(
      "is 'abuse@example.net'\n% Abuse-mailbox validation failed. Please refer to ORG-EX1-TEST for further information.\n\n",
    );
    expect(text).toContain('% No abuse contact registered for 192.0.2.0 - 192.0.2.255\n\n');
    expect(text).not.toContain('Note:');
  });

  test('of several pages follow each other, with one note', async () => {
    answer = () => [page(route), page(inetnum), page(inetnum)];
    expect(
      body(await whois.ask('192.0.2.0/24'))
        .split('\n')
        .filter((line) => /Note|^inetnum|^route/.test(line)),
    ).toEqual([
      'route:          192.0.2.0/24',
      '% Note: this output has been filtered.',
      'inetnum:        192.0.2.0 - 192.0.2.255',
      'inetnum:        192.0.2.0 - 192.0.2.255',
    ]);
  });

  test('of a mirror have neither the note nor an abuse contact', async () => {
    answer = () => [page(inetnum.replace('TEST # Filtered', 'OTHER-GRS # Filtered'))];
    expect(body(await whois.ask('-s OTHER-GRS 192.0.2.0/24'))).not.toMatch(/Note|Abuse|abuse/);
  });
});

describe('forms', () => {
  test.each([
    [
      '-F 192.0.2.0/24',
      [inetnum],
      `${note}% Information related to '192.0.2.0 - 192.0.2.255'

% No abuse contact registered for 192.0.2.0 - 192.0.2.255

*in: 192.0.2.0 - 192.0.2.255
*na: EXAMPLE
*ac: AE1-TEST # the boss
*so: TEST # Filtered

`,
    ],
    [
      '-F -B AS-LONG',
      [
        'as-set:         AS-LONG\nmembers:        AS64500,  AS64501,\n                AS64502\n+\n+ AS64503\nsource:         TEST\n',
      ],
      `% Information related to 'AS-LONG'

*as: AS-LONG
*ms: AS64500,  AS64501,
+    AS64502
+
+    AS64503
*so: TEST

`,
    ],
    ['-G AS64500', [route], `${route}\n`],
    ['-F -G AS64500', [route], '*rt: 192.0.2.0/24\n*or: AS64500\n*so: TEST\n\n'],
    [
      '-K -i origin AS64500',
      [route, asSet],
      `% Note: this output has been filtered.
%       Only primary keys and abuse contacts will be visible.

route:          192.0.2.0/24
origin:         AS64500

as-set:         AS-EXAMPLE
members:        AS64500, AS64501

`,
    ],
    [
      '-b 192.0.2.0/24',
      [inetnum, `+${irt}`, `+${emptyIrt}`],
      'inetnum:        192.0.2.0 - 192.0.2.255\n\nabuse-mailbox:  irt@example.net\n\n',
    ],
  ])('%s', async (line, objects, expected) => {
    answer = () => [page(...objects)];
    expect(body(await whois.ask(line))).toBe(expected);
  });

  test.each([
    ['AS64500', 'latin1', 'Bjørn'],
    ['-Z utf-8 AS64500', 'utf8', 'Bjørn'],
    ['-Z us-ascii AS64500', 'ascii', 'Bj?rn'],
    ['-Z UTF8 AS64500', 'utf8', 'Bjørn'],
    ['-Z latin1 AS64500', 'latin1', 'Bjørn'],
    ['-Z ascii AS64500', 'ascii', 'Bj?rn'],
    ['-Z windows-1252 AS64500', 'latin1', 'Bjørn'],
  ] as const)('%s is answered in %s', async (line, charset, name) => {
    answer = () => [page(person.replace('Alice', 'Bjørn'))];
    expect(Buffer.from(await whois.ask(line), 'latin1').toString(charset)).toContain(
      `person:         ${name} Example\n`,
    );
  });
});

const useless =
  '%WARNING:902: useless IP flag passed\n%\n% An IP flag (-l, -L, -m, -M, -x, -d or -b) used without an IP key.\n\n';

function unknown(source: string): string {
  return `%ERROR:102: unknown source\n%\n% "${source}" is not a known source.\n% Use "-q sources" to list known sources.\n\n`;
}

describe('objects that are left out because of their syntax', () => {
  const leftOut = (all: SearchResponse, ...positions: number[]) => {
    for (const at of positions) all.objects[at]!.leftOut = true;
    for (const { object, leftOut } of all.objects) if (leftOut) object!.text = '';
    return all;
  };
  const noEntries = '%ERROR:101: no entries found\n%\n% No entries found in source TEST.\n\n';

  test.each([
    [
      '--valid-syntax 192.0.2.0/24',
      leftOut(page(inetnum, `+${person}`, route), 0, 1),
      `% Information related to '192.0.2.0 - 192.0.2.255'

% No abuse contact registered for 192.0.2.0 - 192.0.2.255

% '192.0.2.0 - 192.0.2.255' invalid syntax

% 'AE1-TEST' invalid syntax

% Information related to '192.0.2.0/24AS64500'

${route}
`,
    ],
    [
      '--no-valid-syntax -G AS64500',
      leftOut(page(route, asSet), 1),
      `${route}
% 'AS-EXAMPLE' has valid syntax

`,
    ],
    [
      '--no-valid-syntax -F -r AS64500',
      leftOut(page(route), 0),
      `% Information related to '192.0.2.0/24AS64500'

% '192.0.2.0/24AS64500' has valid syntax

${noEntries}`,
    ],
    [
      '--valid-syntax -b 192.0.2.0/24',
      leftOut(page(inetnum), 0),
      `% '192.0.2.0 - 192.0.2.255' invalid syntax\n\n${noEntries}`,
    ],
    [
      '--valid-syntax -s TEST,NOPE -r AS-EXAMPLE',
      leftOut(page(asSet), 0),
      `% Information related to 'AS-EXAMPLE'\n\n% 'AS-EXAMPLE' invalid syntax\n\n${unknown('NOPE')}`,
    ],
  ])('are lines: %s', async (line, found, expected) => {
    answer = () => [found];
    expect(body(await whois.ask(line))).toBe(expected);
    expect(requested[0]).toMatchObject({ withLeftOut: true });
  });
});

describe('sources', () => {
  test.each([
    ['-s test,other-grs AS64500', ['TEST', 'OTHER-GRS']],
    ['-a AS64500', ['TEST', 'TEST-NONAUTH', 'OTHER-GRS']],
    ['-a -s TEST-GRS AS64500', ['TEST', 'TEST-NONAUTH', 'OTHER-GRS', 'TEST-GRS']],
    ['-s NOWHERE,TEST AS64500', ['TEST']],
  ])('%s', async (line, sources) => {
    answer = () => [page(route)];
    await whois.ask(line);
    expect(requested[0]!.sources).toEqual(sources);
  });

  test('that are unknown are named, and the others are searched', async () => {
    answer = () => [page(route)];
    const found = `% Information related to '192.0.2.0/24AS64500'\n\n${route}\n`;
    expect(body(await whois.ask('-s nowhere,TEST AS64500'))).toBe(unknown('NOWHERE') + found);
    expect(body(await whois.ask('-s TEST,NOWHERE,OTHER-GRS,NEVER AS64500'))).toBe(
      found + unknown('NOWHERE') + found + unknown('NEVER'),
    );
    expect(requested.map(({ sources }) => sources)).toEqual([['TEST'], ['TEST'], ['OTHER-GRS']]);
  });

  test('that are unknown are named without ERROR:101, and after warnings', async () => {
    answer = () => [new ServiceError('not-found', [queryMessages.noEntries(['TEST'])])];
    expect(body(await whois.ask('-s NOPE AS64500'))).toBe(unknown('NOPE'));
    expect(body(await whois.ask('-s TEST,NOPE AS64500'))).toBe(unknown('NOPE'));
    expect(body(await whois.ask('-s NOPE -x EXAMPLE'))).toBe(useless + unknown('NOPE'));
  });
});

describe('routes that ROAs make invalid', () => {
  test('have their mark before them', async () => {
    const mark = failureMessage('Warning: this %s object conflicts with an RPKI ROA\nand more\n', ['ROUTE']);
    const [marked] = page(route).objects;
    answer = () => [{ ...page(), objects: [{ ...marked!, messages: [mark] }] }];
    const comment = '% Warning: this ROUTE object conflicts with an RPKI ROA\n% and more\n\n';
    expect(body(await whois.ask('-r AS64500'))).toBe(
      `% Information related to '192.0.2.0/24AS64500'\n\n${comment}${route}\n`,
    );
  });

  test.each<[string, string[], InvalidRoutes | undefined]>([
    ['as objects', ['-r -i origin AS64500'], undefined],
    ['in a session, too', ['!!', '-k -r -i origin AS64500', '!q'], undefined],
    ['as keys, which have no room for a mark', ['-K -r -i origin AS64500'], InvalidRoutes.INVALID_ROUTES_LISTED],
    [
      'all of them, if the session says so',
      ['!!', '!fno-rpki-filter', '-k -K -r -i origin AS64500', '!q'],
      InvalidRoutes.INVALID_ROUTES_SHOWN,
    ],
  ])('are requested %s', async (_what, lines, expected) => {
    answer = () => [page(route)];
    await whois.ask(...lines);
    expect(requested.at(-1)?.invalidRoutes).toBe(expected);
  });
});

describe('messages', () => {
  const noEntries = queryMessages.noEntries(['TEST']);

  test.each<[string, string, (SearchResponse | Error)[], string]>([
    [
      'that search has',
      'AS64500',
      [new ServiceError('not-found', [noEntries])],
      '%ERROR:101: no entries found\n%\n% No entries found in source TEST.\n\n',
    ],
    [
      'that the line causes',
      '-x -L 10/8',
      [],
      '%ERROR:901: duplicate IP flags passed\n%\n% More than one IP flag (-l, -L, -m, -M or -x) passed to the server.\n\n',
    ],
    [
      'of warnings precede the objects, once',
      '-x EXAMPLE',
      [{ ...page(route), messages: [queryMessages.uselessFlag()] }],
      `${useless}% Information related to '192.0.2.0/24AS64500'\n\n${route}\n`,
    ],
    [
      'about the search term precede them, too',
      '\u0141ukasz',
      [page(route)],
      `% This query was converted into the ISO-8859-1 (Latin-1) character set.\n\n% Information related to '192.0.2.0/24AS64500'\n\n${route}\n`,
    ],
    [
      'about missing persons as well',
      '--no-personal AS64500',
      [page(route)],
      `% Note: --no-personal means ALL personal data has been filtered from this output.\n\n% Information related to '192.0.2.0/24AS64500'\n\n${route}\n`,
    ],
    [
      'about a search that fails',
      'AS64500',
      [new ServiceError('unavailable', 'away')],
      '%ERROR:100: internal software error\n%\n% The query could not be answered. Try again later.\n\n',
    ],
  ])('%s', async (_name, line, pages, expected) => {
    answer = () => pages;
    expect(body(await whois.ask(line))).toBe(expected);
  });

  const notFound = '%ERROR:101: no entries found\n%\n% No entries found in source TEST.\n\n';
  const keysNote =
    '% Note: this output has been filtered.\n%       Only primary keys and abuse contacts will be visible.\n\n';

  test.each([
    ['-x -r 10', useless],
    ['-d EXAMPLE', useless],
    ['-K EXAMPLE', keysNote],
    ['--no-personal EXAMPLE', '% Note: --no-personal means ALL personal data has been filtered from this output.\n\n'],
    ['-r EXAMPLE', ''],
  ])('precede the error when nothing is found: %s', async (line, before) => {
    answer = () => [new ServiceError('not-found', [noEntries])];
    expect(body(await whois.ask(line))).toBe(before + notFound);
  });

  const unsearchable = (name: string) =>
    `%ERROR:105: attribute is not searchable\n%\n% "${name}" is not an inverse searchable attribute.\n\n`;

  test.each([
    ['-r -i , AS64500', notFound],
    ['-i e-mail alice@example.net', unsearchable('e-mail') + notFound],
    ['-i mnt-by,em,phone x', unsearchable('e-mail') + unsearchable('phone') + notFound],
    ['-x -K -i e-mail x', useless + keysNote + unsearchable('e-mail') + notFound],
    [
      '-s test,other-grs -i e-mail x',
      `${unsearchable('e-mail').repeat(2)}%ERROR:101: no entries found\n%\n% No entries found in source TEST,OTHER-GRS.\n\n`,
    ],
    ['-s TEST,NOPE -i e-mail x', unsearchable('e-mail') + unknown('NOPE')],
    ['-K -T person AE1-TEST', keysNote + notFound],
  ])('about a search that can find nothing, which is not sent to the search service: %s', async (line, expected) => {
    expect(body(await whois.ask(line))).toBe(expected);
    expect(requested).toEqual([]);
  });

  test.each([
    ['-t person -t role', '%ERROR:110: multiple use of flag\n%\n% The flag "-t" cannot be used multiple times.\n\n'],
    [
      '-b 4.192.1.in-addr.arpa',
      `%ERROR:111: invalid option supplied
%
% Use help query to see the valid options.

%ERROR:115: invalid search key
%
% Search key entered is not valid for the specified object type(s)

`,
    ],
    [
      '--help',
      `% Invalid option: --help
%
%ERROR:111: invalid option supplied
%
% Use help query to see the valid options.

`,
    ],
  ])('about what is wrong with the line: %s', async (line, expected) => {
    expect(body(await whois.ask(line))).toBe(expected);
  });

  test('about useless flags leave the message about abuse contacts, and come with other answers, too', async () => {
    const autNum = 'aut-num:        AS64500\nsource:         TEST\n';
    answer = () => [{ ...page(autNum), messages: [queryMessages.uselessFlag()] }];
    expect(body(await whois.ask('-x -r AS64500'))).toContain('% No abuse contact registered for AS64500\n\n');
    expect(body(await whois.ask('-L -q types AS64500')).startsWith(useless)).toBe(true);
  });

  test('do not replace the rest of an answer that fails: the connection ends', async () => {
    answer = () => [page(route), new ServiceError('unavailable', 'away')];
    const text = await whois.ask('-k AS64500', 'AS64501');
    expect(text).not.toMatch(tail);
    answer = () => [new ServiceError('unavailable', 'away')];
    expect(await whois.ask('!!', '-K -r -i origin AS64500')).toBe('');
  });
});

describe('questions about the registry', () => {
  test.each([
    ['-q sources', 'TEST:3:N:0-0\nTEST-NONAUTH:3:N:0-0\nTEST-GRS:3:N:0-0\nOTHER-GRS:3:N:0-0\n\n'],
    ['-q SOURCES', 'TEST:3:N:0-0\nTEST-NONAUTH:3:N:0-0\nTEST-GRS:3:N:0-0\nOTHER-GRS:3:N:0-0\n\n'],
    ['-q Version', /^% whois-server-\d+\.\d+\.\d+\n\n$/],
    ['-q version', /^% whois-server-\d+\.\d+\.\d+\n\n$/],
    ['-q types', /^inetnum\ninet6num\nas-block\n[^ ]*person\n\n$/],
    ['-t route', /^route: {10}\[mandatory\] {2}\[single\] {5}\[primary\/lookup key\]\n/],
    ['-v poem', /^poem\n/],
    ['help', /^% Query: /],
  ])('%s', async (line, expected) => {
    expect(body(await whois.ask(line))).toEqual(
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    );
  });
});

describe('versions', () => {
  test('of an object with very many: the list says so, and shows any by its number', async () => {
    hasOlder = true;
    const list = body(await whois.ask('--list-versions AS64500'));
    const shown = body(await whois.ask('--show-version 1 AS64500'));
    hasOlder = false;
    expect(list).toMatch(/\n4 +2026-02-02T08:00:00Z +ADD\/UPD\n\n% Only the newest 1 versions are listed\.\n/);
    expect(shown).toMatch(
      /^% Version 1 of object "AS64500"\n% This version was a UPDATE operation on 2026-01-31T12:00:30Z\n/,
    );
    expect(shown).toContain(texts.get(1));
  });

  test.each([
    [
      '--list-versions AS64500',
      `% Version history for AUT-NUM object "AS64500"
% You can use "--show-version rev#" to get an exact version of the object.

rev#  Date                  Op.${'    '}

1     2026-01-31T12:00:30Z  ADD/UPD
2     2026-02-01T08:00:00Z  DEL${'    '}
4     2026-02-02T08:00:00Z  ADD/UPD

`,
    ],
    [
      '--show-version 4 AS64500',
      `% Version 4 (current version) of object "AS64500"
% This version was a UPDATE operation on 2026-02-02T08:00:00Z
% You can use "--list-versions" to get a list of versions for an object.

${texts.get(4)}
`,
    ],
    ['--show-version 2 AS64500', '%ERROR:101: no entries found\n\n'],
    [
      '--show-version 9 AS64500',
      '%ERROR:117: version cannot exceed 4 for this object\n%\n% Versions are numbered from 1.\n\n',
    ],
    [
      '--diff-versions 1:4 AS64500',
      `% Difference between version 1 and 4 of object "AS64500"

@@ -1,3 +1,3 @@
 aut-num:        AS64500
-as-name:        ONE
+as-name:        TWO
 descr:          a

`,
    ],
    ['--list-versions AS64501:AS-NONE', '%ERROR:101: no entries found\n%\n% No entries found in source TEST.\n\n'],
  ])('%s', async (line, expected) => {
    expect(body(await whois.ask(line))).toBe(expected);
  });

  test('of large texts are compared on another thread: others get their answers meanwhile', async () => {
    const lines = (count: number, of: (index: number) => string) =>
      Array.from({ length: count }, (_, n) => `${of(n)}\n`);
    const same = lines(100_000, () => 'members:        AS64500').join('');
    const [before, after] = ['before', 'after'].map((word) =>
      lines(300, (n) => `remarks:        ${word} ${n}`).join(''),
    );
    const compared = Promise.withResolvers<void>();
    const ended: string[] = [];
    texts.set(5, `as-set:         AS-LARGE\n${same}${before}`);
    texts.set(6, `as-set:         AS-LARGE\n${after}${same}`);
    versions.push(...[5, 6].map((revision) => ({ ...versions[0]!, revision })));
    onVersion = (revision) => revision === 6 && compared.resolve();
    const difference = whois.ask('--diff-versions 5:6 AS64500').then((text) => {
      ended.push('difference');
      return text;
    });
    await compared.promise;
    await whois.ask('-t route').then(() => ended.push('template'));
    expect(body(await difference).match(/^[+-]remarks/gm)).toHaveLength(600);
    expect(ended).toEqual(['template', 'difference']);
  });
});

describe('a connection', () => {
  test('stays open for -k until a lone -k, and each answer ends with two empty lines (P7)', async () => {
    answer = ({ query }) => [page(route.replace('AS64500', query))];
    const text = await whois.ask('-k AS64501', 'AS64502', '-k -r AS64503', '-k', 'AS64504');
    expect(text.split(/\n\n\n/).map((one) => /^origin: *(.*)$/m.exec(one)?.[1])).toEqual([
      'AS64501',
      'AS64502',
      'AS64503',
      undefined,
    ]);
    expect(await whois.ask('-k', 'AS64501', '-k')).toMatch(/AS64501/);
  });

  test('that begins with a lone -k gets the head of an answer, and stays open', async () => {
    answer = () => [page(route)];
    expect(await whois.ask('-k', '-k')).toBe(head);
    expect(body((await whois.ask('-k', '-k -r AS64500', '-k')).slice(head.length))).toContain('route:');
  });

  test('is answered in the order of its lines, errors included', async () => {
    answer = () => [page(route)];
    const text = await whois.ask('-k -y', '-k AS64500', '-k');
    expect(text.split(/\n\n\n/).map((one) => /^(?:%ERROR|route:)\S*/m.exec(one)?.[0])).toEqual([
      '%ERROR:111:',
      'route:',
      undefined,
    ]);
  });
});
