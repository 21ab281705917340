import { expect, test } from 'vitest';
import { type DumpEntry, type DumpOptions, DumpSplitter, splitDump } from './dump.js';

function split(chunks: readonly string[], options?: DumpOptions): DumpEntry[] {
  const splitter = new DumpSplitter(options);
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

const dump = [
  '# a dump of invented objects',
  '%',
  '',
  'mntner: A-MNT',
  'descr:  one',
  '+',
  '+ two # not a comment line',
  'source: TEST',
  '',
  '',
  '% between',
  'person: Jo Doe',
  '# inside',
  'address: x',
  '%inside too',
  ' y',
  'source: TEST',
].join('\n');

const entries = [
  { line: 4, end: 9, text: 'mntner: A-MNT\ndescr:  one\n+\n+ two # not a comment line\nsource: TEST\n' },
  { line: 12, end: 18, text: 'person: Jo Doe\naddress: x\n y\nsource: TEST\n' },
];

test('blank lines separate objects and comment lines are skipped', () => {
  expect(split([dump])).toEqual(entries);
});

test('a final line end changes nothing', () => {
  expect(split([`${dump}\n`])).toEqual(entries);
  expect(split([`${dump}\n\n\n`])).toEqual(entries);
});

test('objects that IRRd has deleted in place are skipped', () => {
  const deleted = '*xxte: 192.0.2.0/24\norigin: AS64500\nsource: TEST\n';
  expect(split([`${deleted}\n*rt: 192.0.2.0/24\n\n${deleted}`])).toEqual([
    { line: 5, end: 6, text: '*rt: 192.0.2.0/24\n' },
  ]);
});

test('a line with CR LF only is blank', () => {
  const found = split([dump.replaceAll('\n', '\r\n')]);
  expect(found.map((e) => ({ ...e, text: e.text.replaceAll('\r', '') }))).toEqual(entries);
});

test('a line of spaces or tabs continues the value and does not end the object', () => {
  expect(split(['a: b\n \n\t\nc: d\n'])).toEqual([{ line: 1, end: 5, text: 'a: b\n \n\t\nc: d\n' }]);
});

test.each(['\n', '\r\n'])('chunks may end anywhere (line end %j)', (newline) => {
  const text = dump.replaceAll('\n', newline);
  const whole = split([text]);
  for (let at = 0; at <= text.length; at++) {
    expect(split([text.slice(0, at), text.slice(at)])).toEqual(whole);
  }
  expect(split([...text])).toEqual(whole);
});

test('an empty file and a file of comments have no objects', () => {
  expect(split([])).toEqual([]);
  expect(split(['# nothing\n\n%'])).toEqual([]);
});

test('too large objects are reported with their line, and the next one is read', () => {
  const big = `mntner: A\nremarks: ${'x'.repeat(100)}\nremarks: ${'y'.repeat(100)}\n`;
  const text = `${big}\nmntner: B\n`;
  const expected = [
    { line: 1, end: 4, text: '', tooLarge: big.length },
    { line: 5, end: 6, text: 'mntner: B\n' },
  ];
  expect(split([text], { maxObjectSize: 150 })).toEqual(expected);
  expect(split([...text], { maxObjectSize: 150 })).toEqual(expected);
});

test('comments of any length do not count towards the size of the object', () => {
  const text = `mntner: A\n#${'x'.repeat(500)}\nsource: T\n\n%${'y'.repeat(500)}\nmntner: B\n`;
  const expected = [
    { line: 1, end: 4, text: 'mntner: A\nsource: T\n' },
    { line: 6, end: 7, text: 'mntner: B\n' },
  ];
  expect(split([text], { maxObjectSize: 50 })).toEqual(expected);
  expect(split([...text], { maxObjectSize: 50 })).toEqual(expected);
});

test('an endless line is not held in memory', () => {
  const splitter = new DumpSplitter({ maxObjectSize: 1000 });
  const chunk = 'x'.repeat(1_000_000);
  for (let i = 0; i < 200; i++) {
    expect(splitter.push(chunk)).toEqual([]);
  }
  expect(splitter.end()).toEqual([{ line: 1, end: 2, text: '', tooLarge: 200_000_001 }]);
});

test('splitDump reads a stream', async () => {
  async function* chunks() {
    yield dump.slice(0, 30);
    yield dump.slice(30);
  }
  const found: DumpEntry[] = [];
  for await (const entry of splitDump(chunks())) {
    found.push(entry);
  }
  expect(found).toEqual(entries);
});

test('lines count from the first line of the text', () => {
  expect(split(['\na: b\n\n'], { firstLine: 7 })).toEqual([{ line: 8, end: 9, text: 'a: b\n' }]);
});
