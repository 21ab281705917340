import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRegistry } from './registry.fixture.js';
import { type RunningWhois, startWhois } from './whois.fixture.js';

/** Lines that one connection sent to IRRd 4.5.4 with the objects of `irrd-peer/`, and its answers. */
interface Session {
  readonly lines: readonly string[];
  readonly answers: readonly string[];
}

const read = (name: string) => readFileSync(new URL(`irrd-peer/${name}`, import.meta.url), 'utf8');
const sessions: readonly Session[] = JSON.parse(read('answers.json'));

let whois: RunningWhois;

beforeAll(async () => {
  const registry = createRegistry(['TEST', 'OTHER-GRS']);
  registry.put(read('test.rpsl'));
  registry.put(read('test-nonauth.rpsl'));
  registry.put(read('other-grs.rpsl'), 'OTHER-GRS');
  whois = await startWhois(registry, { CADASTRE_GRS_SOURCES: 'OTHER-GRS' });
});
afterAll(() => whois.stop());

/** Sorts answers for which IRRd has an order of its own: prefixes, and objects. */
function sorted(line: string, answer: string): string {
  const separator = /^(?:-V \S+ )?![g6a]/.test(line) ? ' ' : /^![ro]/.test(line) ? '\n\n' : undefined;
  const [, head, data] = /^(A\d+\n)(.*)\nC\n$/s.exec(answer) ?? [];
  if (separator === undefined || data === undefined) return answer;
  return `${head}${data.split(separator).sort().join(separator)}\nC\n`;
}

/** The answers that differ on purpose. */
const differences = [
  {
    why: 'two spellings of the same prefixes are one member',
    line: '!iRS-RANGES,1',
    irrd: 'A91\n192.0.2.0/24^- 192.0.2.0/24^25-32 198.51.100.0/24^26 2001:db8::/32^48 203.0.113.0/24^25-27\nC\n',
    ours: 'A72\n192.0.2.0/24^- 198.51.100.0/24^26 2001:db8::/32^48 203.0.113.0/24^25-27\nC\n',
  },
  {
    why: 'IRRd leaves out AS numbers with an operator; by RFC 2622 it applies to each prefix',
    line: '!iRS-OPERATED,1',
    irrd: 'D\n',
    ours: 'A82\n192.0.2.0/24^+ 192.0.2.0/25^+ 2001:db8::/32^+ 203.0.113.0/24^- 203.0.113.128/26^-\nC\n',
  },
  {
    why: 'IRRd leaves out sets with an operator; by RFC 2622 it applies to each prefix',
    line: '!iRS-SETOPERATED,1',
    irrd: 'D\n',
    ours: 'A40\n198.51.100.0/24^+ 198.51.100.0/24^24-26\nC\n',
  },
  {
    why: 'irrtoolset sends short names of classes, which IRRd 4 does not know',
    line: '!man,AS64500',
    irrd: 'D\n',
    ours: 'A100\naut-num:        AS64500\nas-name:        NAME-64500\nmnt-by:         EXAMPLE-MNT\nsource:         TEST\nC\n',
  },
  {
    why: 'an origin that several sources have comes once',
    line: '!r192.0.2.0/24,o',
    irrd: 'A24\nAS64500 AS64500 AS64501\nC\n',
    ours: 'A16\nAS64500 AS64501\nC\n',
  },
];

/** Our answer to a line that IRRd answered. */
function oursFor(line: string, answer: string): string {
  const ours = differences.find((one) => one.line === line && one.irrd === answer)?.ours ?? answer;
  return line.startsWith('!i') ? withRanges(ours) : ours;
}

/** `^n` as `^n-n`: bgpq4 ignores the former. */
function withRanges(answer: string): string {
  const [, data] = /^A\d+\n(.*)\nC\n$/s.exec(answer) ?? [];
  if (data === undefined) return answer;
  const members = data.replace(/\^(\d+)(?= |$)/g, '^$1-$1');
  return `A${members.length + 1}\n${members}\nC\n`;
}

test.each(sessions.map(({ lines, answers }) => [lines.slice(0, 3).join(' '), lines, answers] as const))(
  'IRRd 4.5.4 and this service answer alike: %s',
  async (_name, lines, answers) => {
    const pairs = (all: readonly string[]) => all.map((answer, at) => [lines[at], sorted(lines[at]!, answer)]);
    const expected = answers.map((answer, at) => oursFor(lines[at]!, answer));
    expect(pairs(await whois.answers(lines))).toEqual(pairs(expected));
  },
);
