import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { parseObject, primaryKey, valuesOf } from '@cadastre/rpsl';
import { isInstalled, isSkipped } from '@cadastre/service/testing';
import { generateRegistry } from '@cadastre/synthetic';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { hasRedis, type RedisServer, startRedis } from '../../../services/gateway/tests/redis-server.fixture.js';
import { cadastre } from './harness/cadastre.js';
import { eventually } from './harness/eventually.js';
import { type Rest, restClient } from './harness/rest.js';
import { freshDirectory, inOneProcess, type RunningSystem, runSystem } from './harness/run-system.js';

let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
let rest: Rest & { close(): void };
let redis: RedisServer | undefined;
/** A client for whom a proxy sends queries. */
const limited = '192.0.2.99';
const queries = inject('counts').whoisQueries;
const dump = [...generateRegistry({ objects: 2_000, seed: 16, source: 'TEST' })];

beforeAll(async () => {
  data = await freshDirectory();
  redis = hasRedis() ? await startRedis() : undefined;
  system = await runSystem(data.directory, {
    ...inOneProcess,
    CADASTRE_LIMITS: `personal-objects=-1, ${limited} personal-objects=5, 127.0.0.0/8 queries=-1 searches=-1`,
    CADASTRE_TRUSTED_PROXIES: '127.0.0.1,::1',
    ...(redis && { CADASTRE_REDIS_URL: redis.url }),
  });
  rest = restClient(system);
  const loaded = await cadastre(system, ['load', '--source', 'TEST', '--utf8', '--wait', '-'], dump.join('\n'));
  expect(loaded).toMatchObject({ code: 0 });
  await eventually(async () => expect((await ask('AS64500')).length).toBeGreaterThan(0));
});
afterAll(async () => {
  rest?.close();
  await system?.stop();
  await redis?.remove();
  await data.remove();
});

async function ask(line: string): Promise<string> {
  const [host, port] = system.whois.split(':') as [string, string];
  const socket = connect(Number(port), host);
  socket.write(`${line}\n`);
  const pieces: Buffer[] = [];
  socket.on('data', (piece) => pieces.push(piece));
  await once(socket, 'close');
  return Buffer.concat(pieces).toString('utf8');
}

/** The objects of an answer, without comments. */
function objectsOf(text: string): string[] {
  return text
    .split('\n\n')
    .map((block) => block.replace(/^(?:%.*\n?|\n)+/gm, ''))
    .filter((block) => block !== '');
}

function errorsOf(text: string): string[] {
  return [...text.matchAll(/ERROR:\d+/g)].map(([code]) => code);
}

/** The same numbers in every run. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A query in the form of both interfaces. */
interface Query {
  readonly key: string;
  readonly flags: readonly string[];
  readonly types: readonly string[];
  readonly inverse: readonly string[];
}

const inverse = ['mnt-by', 'admin-c', 'tech-c', 'org', 'origin', 'mnt-lower', 'abuse-c'] as const;
const modes = ['', '', '', 'x', 'l', 'L', 'm', 'M'];
const others = ['r', 'B', 'G', 'c', 'd', 'no-personal'];

function* randomQueries(count: number): Generator<Query> {
  const random = numbersFrom(500);
  const one = <T>(values: readonly T[]): T => values[random(values.length)]!;
  const objects = dump.map((text) => {
    const parsed = parseObject(text);
    if (!parsed.ok) throw new Error(text);
    return parsed.object;
  });
  for (let made = 0; made < count; ) {
    const object = one(objects);
    const key = primaryKey(object);
    if (!('shown' in key)) continue;
    made++;
    const flags = [one(modes), ...others.filter(() => random(4) === 0)].filter((flag) => flag !== '');
    const types = random(5) === 0 ? [one(['inetnum', 'route', 'mntner', 'person', object.type])] : [];
    const attribute = one(inverse);
    const [value] = random(3) === 0 ? valuesOf(object, attribute) : [];
    if (value !== undefined) yield { key: value, flags, types, inverse: [attribute] };
    else yield { key: changed(key.shown, random), flags, types, inverse: [] };
  }
}

/** The key; sometimes only a part of it, or one that no object has. */
function changed(key: string, random: (below: number) => number): string {
  switch (random(8)) {
    case 0:
      return key.split(' ')[0]!;
    case 1:
      return key.toLowerCase();
    case 2:
      return `${key}0`;
    default:
      return key;
  }
}

function lineOf({ key, flags, types, inverse: attributes }: Query): string {
  const given = flags.map((flag) => (flag.length === 1 ? `-${flag}` : `--${flag}`));
  if (types.length > 0) given.push('-T', types.join(','));
  if (attributes.length > 0) given.push('-i', attributes.join(','));
  return ['-Z utf-8', ...given, key].join(' ');
}

function pathOf({ key, flags, types, inverse: attributes }: Query): string {
  const query = new URLSearchParams({ 'query-string': key });
  for (const flag of flags) query.append('flags', flag);
  for (const type of types) query.append('type-filter', type);
  for (const attribute of attributes) query.append('inverse-attribute', attribute);
  return `/search?${query}`;
}

test(`${queries} random queries find the same as the search of REST in text (P6)`, async () => {
  let found = 0;
  for (const query of randomQueries(queries)) {
    const line = lineOf(query);
    const [text, answer] = [await ask(line), await rest(pathOf(query), { accept: 'text/plain' })];
    if (answer.status === 200) {
      found++;
      expect(objectsOf(text), line).toEqual(objectsOf(answer.text));
    } else expect([line, objectsOf(text)]).toEqual([line, []]);
    expect(errorsOf(text), line).toEqual(errorsOf(answer.text));
  }
  expect(found).toBeGreaterThan(queries / 2);
}, 240_000);

test.skipIf(!hasRedis())('a client has one budget for REST and port 43 (P10)', async () => {
  const headers = { 'x-forwarded-for': limited, 'x-forwarded-proto': 'https' };
  const look = async () => (await rest('/TEST/person/AE1-TEST.txt', { headers })).status;
  const used = async () => {
    const { limits } = JSON.parse((await rest('/metadata/limits.json', { headers })).text);
    return limits.limit.find((one: { name: string }) => one.name === 'personal-objects').used as number;
  };
  const query = (key: string) => ask(`-V proxy,${limited} -r -T person,mntner ${key}`);
  expect([await look(), await look(), await look()]).toEqual([200, 200, 200]);
  expect(objectsOf(await query('AE1-TEST'))).toHaveLength(1);
  await expect.poll(used).toBe(4);
  expect([await look(), await look()]).toEqual([200, 429]);
  // Port 43 shows nothing more either, not even objects that are not personal.
  await expect.poll(async () => errorsOf(await query('EXAMPLE-MNT'))).toEqual(['ERROR:201']);
  expect(objectsOf(await ask('-r -T mntner EXAMPLE-MNT'))).toHaveLength(1);
});

const missing = isInstalled('whois') ? [] : ['whois'];

describe.skipIf(isSkipped('queries by whois(1)', missing))('whois(1) finds (P5)', () => {
  test.each<[string[], RegExp]>([
    [['AS64500'], /^aut-num: +AS64500$/m],
    [['EXAMPLE-MNT'], /^mntner: +EXAMPLE-MNT$/m],
    [['-r', '-T', 'aut-num', 'AS64500'], /^aut-num: +AS64500$/m],
    [['-Brx', 'Alice Example'], /^person: +Alice Example$/m],
    [['-M', '-T', 'route6,route', '2001:DB8::/31'], /^route6: +2001:db8::\/32$/m],
    [['--', '-k -Bx 192.0.2.0/24'], /^inetnum: +192\.0\.2\.0 - 192\.0\.2\.255$/m],
    [['192.0.2.0 - 192.0.2.255'], /^inetnum: +192\.0\.2\.0 - 192\.0\.2\.255$/m],
    [['-R', 'AS64500'], /^aut-num: +AS64500$/m],
    [['!gAS64500'], /^192\.0\.2\.0\/24$/m],
  ])('%j', async (args, expected) => {
    const [host, port] = system.whois.split(':') as [string, string];
    const whois = spawn('whois', ['-h', host, '-p', port, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    whois.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    await expect.poll(() => output).toMatch(expected);
    // With -k it waits for more.
    whois.kill();
  });
});
