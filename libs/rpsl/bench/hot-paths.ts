/**
 * How many objects per second one core parses, finds the key of and prints: `node libs/rpsl/bench/hot-paths.ts` after
 * `make build`. The object has the size of an average one in a public registry (680 bytes).
 */
import {
  DumpSplitter,
  parseObject,
  primaryKey,
  printObject,
  type RpslObject,
  rangeOf,
  referencesOf,
  validate,
} from '@cadastre/rpsl';

const texts = Array.from({ length: 2000 }, (_, i) => inetnumText(i));
const dump = texts.join('\n');

function inetnumText(i: number): string {
  const net = `10.${i >> 8}.${i & 255}`;
  return [
    `inetnum:        ${net}.0 - ${net}.255`,
    `netname:        EXAMPLE-NET-${i}`,
    'descr:          Example Networks, customer access in the second region',
    'descr:          Example Street 1, 1012 AB Amsterdam',
    'country:        NL',
    'org:            ORG-EX1-TEST',
    'admin-c:        AE1-TEST',
    'tech-c:         EN1-TEST',
    'tech-c:         AE1-TEST',
    'status:         ASSIGNED PA',
    'remarks:        Report abuse to abuse@example.net, please # day and night',
    'remarks:        Routing questions go to the operations centre of the network',
    'mnt-by:         EXAMPLE-MNT',
    'mnt-lower:      EXAMPLE-MNT',
    'mnt-routes:     EXAMPLE-MNT',
    'mnt-irt:        IRT-EXAMPLE',
    'created:        2024-02-29T12:34:56Z',
    'last-modified:  2024-02-29T12:34:56Z',
    'source:         TEST',
    '',
  ].join('\n');
}

function parse(text: string): RpslObject {
  const parsed = parseObject(text);
  if (!parsed.ok) throw new Error('the sample does not parse');
  return parsed.object;
}

const objects = texts.map(parse);

function measure(name: string, perRound: number, round: () => void): void {
  const until = (ms: number) => {
    const start = performance.now();
    let rounds = 0;
    while (performance.now() - start < ms) {
      round();
      rounds++;
    }
    return (rounds * perRound * 1000) / (performance.now() - start);
  };
  until(300);
  console.log(`${name.padEnd(36)}${Math.round(until(1500)).toLocaleString('en')}/s`);
}

function measureEach<T>(name: string, items: readonly T[], work: (item: T) => unknown): void {
  measure(name, items.length, () => {
    for (const item of items) {
      work(item);
    }
  });
}

console.log(`object of ${texts[0]!.length} characters`);
measure('split dump', texts.length, () => {
  const splitter = new DumpSplitter();
  for (let at = 0; at < dump.length; at += 65536) {
    splitter.push(dump.slice(at, at + 65536));
  }
  splitter.end();
});
measureEach('parseObject', texts, parse);
measureEach('primaryKey', objects, primaryKey);
measureEach('referencesOf', objects, referencesOf);
measureEach('rangeOf', objects, rangeOf);
measureEach('printObject', objects, printObject);
measureEach('validate', objects, validate);
measureEach('parse + key + references', texts, (text) => {
  const o = parse(text);
  primaryKey(o);
  referencesOf(o);
});
