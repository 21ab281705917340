import type { Flag } from '@cadastre/query';
import { attributeTypes, objectTypeNames } from '@cadastre/rpsl';
import type { RunningSystem } from '../harness/run-system.js';
import { type Requested, whoisAnswer, whoisBytes, whoisLine } from './asked.js';
import { repeated } from './documents.js';
import { type Budget, type Row, small } from './row.js';

/** The longest line is 1,024 bytes. */
const longest = 1_000;
/** What a client may send before the service answers: a chunk of TCP. */
const chunk = 64 * 1024;
const telnetInterrupt = Buffer.from([0xff, 0xf4, 0xff, 0xfd, 0x06]);

/** For searches of everything. */
const everything: Budget = { held: 400, spent: 3_000 };
/** For 64 KiB of short lines, answered in turns. */
const pipeline: Budget = { held: 60, spent: 1_500 };

/** For 64 KiB of commands that all get an answer. */
const flood: Budget = { held: 60, spent: 3_000 };
/** For a connection that is handed over for one command. */
const oneOfMany: Budget = { held: 40, spent: 10 };

/** The parts of long values. */
const pieces = ['A', 'A ', '1', '1.', 'f:', ':', 'AS1', 'AS-A:', '-', ',', '(', '*', '%', 'é', '-B ', '\0'];
const wholeSpaces = ['0.0.0.0/0', '::/0', '0.0.0.0 - 255.255.255.255', 'AS0 - AS4294967295'];
const long = (before: string, after = '') =>
  pieces.map((piece) => `${before}${repeated(piece, longest - 100)}${after}`);
const inverse = 'mnt-by,admin-c,tech-c,e-mail,auth,origin,org,notify,member-of,nserver,fingerpr';
const everyAttribute = attributeTypes.map(({ shortName }) => shortName).join();

/** The lines of every flag. The compiler reports a flag without lines. */
const flagLines: Record<Flag, readonly string[]> = {
  exact: long('-x ').concat(wholeSpaces.map((all) => `-x ${all}`)),
  'one-less': long('-l ').concat(wholeSpaces.map((all) => `-l ${all}`)),
  'all-less': long('-L ').concat(wholeSpaces.map((all) => `-L ${all}`)),
  'one-more': wholeSpaces.map((all) => `-m ${all}`),
  'all-more': wholeSpaces.map((all) => `-M ${all}`),
  irt: wholeSpaces.map((all) => `-c -M ${all}`),
  'no-irt': ['-C 192.0.2.0/24'],
  'reverse-domain': wholeSpaces.map((all) => `-d -M ${all}`),
  'no-grouping': ['-G -M 0.0.0.0/0'],
  'no-filtering': ['-B -M 0.0.0.0/0', '-B AE1-TEST'],
  'no-referenced': ['-r -M 0.0.0.0/0'],
  'valid-syntax': ['--valid-syntax -M 0.0.0.0/0'],
  'no-valid-syntax': ['--no-valid-syntax -M 0.0.0.0/0'],
  'no-personal': ['--no-personal -M 0.0.0.0/0'],
  'show-personal': ['--show-personal -M 0.0.0.0/0'],
  resource: ['--resource 192.0.2.0/24'],
  'abuse-contact': wholeSpaces.map((all) => `-b ${all}`),
  brief: ['-F -M 0.0.0.0/0'],
  'primary-keys': ['-K -M 0.0.0.0/0'],
  'persistent-connection': ['-k', '-k -M 0.0.0.0/0', repeated('-k ', longest)],
  'select-types': long('-T ', ' AE1-TEST').concat(`-T ${objectTypeNames.join()} -M 0.0.0.0/0`),
  'all-sources': ['-a AE1-TEST', '-a -M 0.0.0.0/0'],
  sources: long('-s ', ' AE1-TEST').concat('-s TEST,A,TEST-NONAUTH,B,TEST-GRS AE1-TEST'),
  q: ['-q version', '-q types', '-q sources', ...long('-q ')],
  'list-sources': ['--list-sources'],
  version: ['--version'],
  types: ['--types'],
  inverse: long('-i ', ' AE1-TEST').concat(
    long(`-i ${inverse} `),
    `-i ${inverse} EXAMPLE-MNT`,
    `-a -i ${everyAttribute} x`,
  ),
  template: objectTypeNames.map((type) => `-t ${type}`).concat(long('-t ')),
  verbose: objectTypeNames.map((type) => `-v ${type}`),
  client: long('-V ', ' AE1-TEST').concat(`-V ${repeated(' ', longest)}`, `-V a,${repeated('1.', 900)} AE1-TEST`),
  'list-versions': long('--list-versions ').concat('--list-versions AE1-TEST'),
  'diff-versions': long('--diff-versions ', ' AE1-TEST').concat('--diff-versions 1:2 AE1-TEST'),
  'show-version': long('--show-version ', ' AE1-TEST').concat('--show-version 1 AE1-TEST'),
  charset: long('-Z ', ' AE1-TEST').concat('-Z utf8 AE1-TEST', '-Z latin1 AE1-TEST'),
};

const searches: ReadonlySet<string> = new Set<Flag>([
  ...(['exact', 'one-less', 'all-less', 'one-more', 'all-more', 'irt', 'reverse-domain'] as const),
  ...(['no-grouping', 'no-filtering', 'no-referenced', 'valid-syntax', 'no-valid-syntax', 'no-personal'] as const),
  ...(['show-personal', 'abuse-contact', 'brief', 'primary-keys', 'select-types', 'all-sources'] as const),
]);

/** Arguments of every IRRd-style command, by its letter. */
const commandArguments: Readonly<Record<string, readonly string[]>> = {
  '!': [''],
  q: [''],
  Q: [''],
  v: [''],
  t: ['30', ...long('')],
  n: ['price', ...long('')],
  s: [
    '-lc',
    'TEST',
    ...long(''),
    repeated('TEST,', longest),
    ...long('-routes:'),
    `-routes:${repeated('TEST,', longest)}`,
  ],
  f: ['no-rpki-filter', ...long('')],
  F: ['no-rpki-filter', ...long('')],
  j: ['-*', 'TEST', ...long('')],
  J: ['-*', 'TEST', ...long('')],
  g: ['AS64500', ...long('AS')],
  '6': ['AS64500', ...long('AS')],
  a: ['AS64500:AS-CUSTOMERS', '4AS64500:AS-CUSTOMERS', '6AS64500:AS-CUSTOMERS', ...long('AS-')],
  e: ['', '-lc', repeated('AS-A,', longest), ...long('AS-')],
  i: ['AS64500:AS-CUSTOMERS', 'AS64500:AS-CUSTOMERS,1', ...long('AS-'), repeated('TEST::', longest)],
  m: ['aut-num,AS64500', 'as-set,AS64500:AS-CUSTOMERS', 'person,AE1-TEST', ...long('aut-num,')],
  o: ['EXAMPLE-MNT', ...long('')],
  r: ['0.0.0.0/0', '0.0.0.0/0,M', '::/0,M', '0.0.0.0/0,o', '192.0.2.0/24,L', ...long('')],
};

/** The rows of RIPE-style queries and IRRd-style commands. */
export function port43Rows(): Row[] {
  return [
    ...Object.entries(flagLines).map(([flag, lines]) =>
      row('RIPE style', `--${flag}`, lines.map(whoisLine), searches.has(flag) ? everything : small),
    ),
    ...Object.entries(commandArguments).map(([letter, list]) =>
      row(
        'IRRd style',
        `!${letter}`,
        list.map((argument) => whoisLine(`!${letter}${argument}`)),
        small,
      ),
    ),
    row('RIPE style', 'help and long words', [whoisLine('help'), ...long('').map(whoisLine)], small),
    row('RIPE style', 'many options', [whoisLine(`${repeated('-r ', longest)}AE1-TEST`)], small),
    row('any', 'lines that are too long', [lines(repeated('a', chunk)), lines(repeated('! a', chunk))], small),
    row('any', 'bytes that are no text', [lines(Buffer.alloc(chunk, 0xff)), lines(Buffer.alloc(chunk))], small),
    row('any', '64 KiB of invalid lines, with a telnet interrupt at the end', [invalidLines()], small),
    row('any', '64 KiB of telnet interrupts', [lines(filled(telnetInterrupt, chunk))], pipeline),
    row(
      'any',
      '64 KiB of empty lines',
      [lines(`!!\n${repeated('\n', chunk)}`), lines(repeated('\n', chunk))],
      pipeline,
    ),
    ...handoverRows(),
    ...['!v\n', '!gAS64500\n', '!iAS64500:AS-CUSTOMERS,1\n', '!r192.0.2.0/24\n', '!x\n', '-k -t person\n'].map((line) =>
      row('any', `many lines at once: ${line.trim()}`, [lines(`${open(line)}${line.repeat(200)}`)], pipeline),
    ),
  ];
}

/** The first command with `!` moves its connection to the index process, with what was read before. */
function handoverRows(): Row[] {
  const connections = (bytes: string) => Array.from({ length: 100 }, () => lines(bytes));
  return [
    row('handover', 'after RIPE-style lines', [lines(`-k\n${'-k -t person\n'.repeat(100)}!!\n!v\n!q\n`)], pipeline),
    row('handover', 'after 64 KiB of empty lines', [lines(`-k\n${repeated('\n', chunk)}!!\n!v\n!q\n`)], pipeline),
    row('handover', 'with 64 KiB behind it', [lines(`!!\n${'!v\n'.repeat(chunk / 3)}`)], flood),
    row('handover', 'of a hundred connections, one after the other', connections('!v\n'), oneOfMany),
    row('handover', 'of a hundred connections, after a RIPE-style line', connections('-k -t person\n!v\n'), oneOfMany),
  ];
}

/** The letters of all IRRd-style commands of a system that no row sends. */
export async function commandsWithoutRow(system: RunningSystem): Promise<string[]> {
  const printable = Array.from({ length: 94 }, (_, n) => String.fromCharCode(33 + n));
  const answers = printable.map(async (letter) => {
    const isKnown = !(await whoisAnswer(system, `!${letter}\n`)).includes('Unrecognised command');
    return isKnown && !(letter in commandArguments) ? [letter] : [];
  });
  return (await Promise.all(answers)).flat();
}

/** Invalid lines of two bytes; the splitter looks for interrupts in each. */
function invalidLines(): Requested {
  return lines(Buffer.concat([filled(Buffer.from('\xff\n', 'latin1'), chunk - 5), telnetInterrupt]));
}

function open(line: string): string {
  return line.startsWith('!') ? '!!\n' : '';
}

function lines(bytes: string | Buffer): Requested {
  return whoisBytes(`${bytes.length} bytes`, bytes);
}

function filled(piece: Buffer, length: number): Buffer {
  return Buffer.alloc(length, piece);
}

function row(operation: string, what: string, requested: readonly Requested[], budget: Budget): Row {
  return {
    operation: `port 43, ${operation}`,
    what,
    outcome: 'answered',
    budget,
    sender: 'anonymous',
    sends: () => requested,
  };
}
