import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cadastre } from './harness/cadastre.js';
import { eventually } from './harness/eventually.js';
import { type Rest, restClient } from './harness/rest.js';
import { freshDirectory, inOneProcess, type RunningSystem, runSystem } from './harness/run-system.js';

// The table of ADR 0088: what each interface does with a route that ROAs make invalid, by the policy of its source.

/** A source with a policy, and its routes: the prefix that a ROA authorises, and the other one. */
interface Source {
  readonly name: string;
  readonly origin: string;
  readonly valid: string;
  readonly invalid: string;
  /** An as-set of the source with the origin. */
  readonly set: string;
}

const sources = {
  hide: { name: 'TEST', origin: 'AS64510', valid: '10.1.0.0/24', invalid: '10.1.1.0/24', set: 'AS-HIDING' },
  mark: { name: 'OTHER-GRS', origin: 'AS64511', valid: '10.2.0.0/24', invalid: '10.2.1.0/24', set: 'AS-MARKING' },
  show: { name: 'TEST-NONAUTH', origin: 'AS64512', valid: '10.3.0.0/24', invalid: '10.3.1.0/24', set: 'AS-SHOWING' },
} satisfies Record<string, Source>;
const all: readonly Source[] = Object.values(sources);
const policy = Object.entries(sources).map(([word, { name }]) => `${name}=${word}`);

function objectsOf({ name, origin, valid, invalid, set }: Source): string {
  const end = `mnt-by:         EXAMPLE-MNT\nsource:         ${name}\n`;
  const routes = [valid, invalid].map((prefix) => `route:          ${prefix}\norigin:         ${origin}\n${end}`);
  const contacts = 'tech-c:         AE1-TEST\nadmin-c:        AE1-TEST\n';
  const asSet = `as-set:         ${set}\nmembers:        ${origin}\n${contacts}${end}`;
  // Inverse lookups find nothing for an origin that does not exist.
  const autNum = `aut-num:        ${origin}\nas-name:        EXAMPLE-AS\n${contacts}${end}`;
  return [...routes, asSet, autNum].join('\n');
}

let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
let rest: Rest & { close(): void };

beforeAll(async () => {
  data = await freshDirectory();
  const roas = join(data.directory, 'roas.json');
  const entries = all.flatMap(({ origin, valid, invalid }) => [
    { asn: origin, prefix: valid, maxLength: 24, ta: 'ripe' },
    { asn: 'AS64999', prefix: invalid, maxLength: 24, ta: 'ripe' },
  ]);
  await writeFile(roas, JSON.stringify({ roas: entries }));
  system = await runSystem(data.directory, {
    ...inOneProcess,
    CADASTRE_GRS_SOURCES: 'OTHER-GRS',
    CADASTRE_ROA_SOURCE: roas,
    CADASTRE_ROA_POLICY: policy.join(),
  });
  rest = restClient(system);
  for (const [source, texts] of [
    ['TEST', [objectsOf(sources.hide), objectsOf(sources.show)]],
    ['OTHER-GRS', [objectsOf(sources.mark)]],
  ] as const) {
    const loaded = await cadastre(system, ['load', '--source', source, '--wait', '-'], texts.join('\n'));
    expect(loaded.code, loaded.stderr).toBe(0);
  }
  await eventually(async () => {
    for (const one of all) {
      expect(await irrd(one, `!g${one.origin}`)).toContain(one.valid);
      expect(await ripe(`-r -T route -s ${one.name} ${one.valid}`)).toContain(one.valid);
    }
  });
});
afterAll(async () => {
  rest?.close();
  await system?.stop();
  await data.remove();
});

/** Everything that the service sends to these lines. */
async function ripe(...lines: string[]): Promise<string> {
  const [host, port] = system.whois.split(':') as [string, string];
  const socket = connect(Number(port), host);
  socket.write(lines.map((line) => `${line}\n`).join(''));
  const pieces: Buffer[] = [];
  socket.on('data', (piece) => pieces.push(piece));
  await once(socket, 'close');
  return Buffer.concat(pieces).toString('latin1');
}

/** The same in a session that has chosen the source. */
const irrd = ({ name }: Source, ...lines: string[]) => ripe('!!', `!s${name}`, ...lines, '!q');

/** The text of a response; nothing for an object that is not found. */
async function text(path: string): Promise<string> {
  const { status, text: received } = await rest(path);
  expect([200, 404]).toContain(status);
  return status === 200 ? received : '';
}

const unfiltered = '!fno-rpki-filter';
const query = ({ name, invalid }: Source, path: string) =>
  `${path}?query-string=${invalid}&type-filter=route&flags=no-referenced&source=${name}`;

type Ask = (source: Source) => Promise<string>;
type Showing = 'left out' | 'marked' | 'plain';

const rows: [dialect: string, ask: Ask, hide: Showing, mark: Showing, show: Showing][] = [
  ['!g', (one) => irrd(one, `!g${one.origin}`), 'left out', 'left out', 'plain'],
  ['!a', (one) => irrd(one, `!a${one.set}`), 'left out', 'left out', 'plain'],
  ['!r,o', (one) => irrd(one, `!r${one.invalid},o`), 'left out', 'left out', 'plain'],
  ['!r', (one) => irrd(one, `!r${one.invalid}`), 'left out', 'marked', 'plain'],
  ['!r,M', (one) => irrd(one, `!r${one.invalid.replace('.1.0/24', '.0.0/16')},M`), 'left out', 'marked', 'plain'],
  ['!m', (one) => irrd(one, `!mroute,${one.invalid}${one.origin}`), 'left out', 'marked', 'plain'],
  ['!o', (one) => irrd(one, '!oEXAMPLE-MNT'), 'left out', 'marked', 'plain'],
  ['RIPE style', (one) => ripe(`-r -T route -s ${one.name} ${one.invalid}`), 'left out', 'marked', 'plain'],
  ['RIPE style, -i', (one) => ripe(`-r -s ${one.name} -i origin ${one.origin}`), 'left out', 'marked', 'plain'],
  ['RIPE style, -K', (one) => ripe(`-K -r -s ${one.name} -i origin ${one.origin}`), 'left out', 'left out', 'plain'],
  ['RIPE style after !!', (one) => irrd(one, `-r -i origin ${one.origin}`), 'left out', 'marked', 'plain'],
  ['!r after !f', (one) => irrd(one, unfiltered, `!r${one.invalid}`), 'marked', 'marked', 'plain'],
  ['!r,o after !f', (one) => irrd(one, unfiltered, `!r${one.invalid},o`), 'plain', 'plain', 'plain'],
  ['!m after !f', (one) => irrd(one, unfiltered, `!mroute,${one.invalid}${one.origin}`), 'marked', 'marked', 'plain'],
  ['!g after !f', (one) => irrd(one, unfiltered, `!g${one.origin}`), 'left out', 'left out', 'plain'],
  ['RIPE style after !f', (one) => irrd(one, unfiltered, `-r -i origin ${one.origin}`), 'marked', 'marked', 'plain'],
  ['search, JSON', (one) => text(query(one, '/search.json')), 'left out', 'marked', 'plain'],
  ['search, XML', (one) => text(query(one, '/search.xml')), 'left out', 'marked', 'plain'],
  ['search, text', (one) => text(query(one, '/search.txt')), 'left out', 'marked', 'plain'],
  [
    'expanded',
    (one) => text(`/${one.name}/as-set/${one.set}/expanded.txt`),
    ...(['left out', 'left out', 'plain'] as const),
  ],
  [
    'expanded by origin',
    (one) => text(`/${one.name}/as-set/${one.set}/expanded?by=origin`),
    ...(['left out', 'left out', 'plain'] as const),
  ],
  [
    'the content of a set',
    (one) => text(`/search/expansion?set=${one.set}&prefixes&source=${one.name}`),
    ...(['left out', 'left out', 'plain'] as const),
  ],
  ['lookup', (one) => text(`/${one.name}/route/${one.invalid}${one.origin}.txt`), 'plain', 'plain', 'plain'],
];

function showing(received: string, { origin, invalid }: Source, isOrigins: boolean): Showing {
  if (!received.includes(isOrigins ? origin : invalid)) return 'left out';
  return /rpki-ov-state: +invalid|conflicts with an RPKI ROA/.test(received) ? 'marked' : 'plain';
}

test.each(rows)('%s', async (dialect, ask, hide, mark, show) => {
  const found: Showing[] = [];
  for (const one of [sources.hide, sources.mark, sources.show])
    found.push(showing(await ask(one), one, dialect.startsWith('!r,o')));
  expect({ hide: found[0], mark: found[1], show: found[2] }).toEqual({ hide, mark, show });
});

test('an expansion explains what it leaves out', async () => {
  const explained = await Promise.all(all.map((one) => text(`/${one.name}/as-set/${one.set}/expanded.txt?explain`)));
  expect(explained).toEqual([
    'roa-invalid 10.1.1.0/24 AS64510 TEST roa 10.1.1.0/24-24 AS64999\n',
    'roa-invalid 10.2.1.0/24 AS64511 OTHER-GRS roa 10.2.1.0/24-24 AS64999\n',
    '',
  ]);
});
