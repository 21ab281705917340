import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { samples } from '@cadastre/rpsl';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describedOperations } from './fuzz/described-requests.js';
import { eventually } from './harness/eventually.js';
import { descendants } from './harness/processes.js';
import { restClient } from './harness/rest.js';
import { freshDirectory, type RunningSystem, runSystem } from './harness/run-system.js';
import { loadBalancerSettings } from './hostile/load-balancer.js';
import type { Requested } from './price/asked.js';
import { bounds } from './price/bounds.js';
import { leastPrice, type Measured, type Price, priceOf, probed, untilQuiet } from './price/cpu.js';
import { json, post, repeated } from './price/documents.js';
import { copied, largestChanges, mirrorRows } from './price/mirror-rows.js';
import { load, nestedNetworkTexts, routeTexts, setTexts, storeVersions } from './price/poison.js';
import { manyRoas, poisonRows } from './price/poison-rows.js';
import { commandsWithoutRow, port43Rows } from './price/port43-rows.js';
import { prefixRows } from './price/prefix-rows.js';
import { rdapSearchRows } from './price/rdap-search-rows.js';
import { readRows } from './price/read-rows.js';
import { type Budget, type Outcome, type Row, small } from './price/row.js';
import { maxTries, send } from './price/send.js';
import { updateRows } from './price/update-rows.js';
import { validatorRows } from './price/validator-rows.js';
import { person, writeRows } from './price/write-rows.js';

/** Maximum number of measurements of a row. */
const attempts = 6;
/** Maximum number of rows in a group. */
const groupSize = 16;
/** Maximum size of a refusal and of an object in it. Update reports as text repeat all objects. */
const maxRefusalBytes = 256 * 1024;

/** Two million members in all. */
const poisonSets = 41;
const poisonRoutes = 10_000;
const poisonVersions = 110;

const rows: Row[] = [...readRows(), ...rdapSearchRows(), ...writeRows(), ...updateRows(), ...validatorRows()];
const measured: { row: Row; price: Price }[] = [];
/** Whether all rows of a group together are within the budget of one. */
const groups = new Map<readonly Row[], Promise<boolean>>();

let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem & Measured;
let turns: string;
let started: number[];

beforeAll(async () => {
  data = await freshDirectory();
  const { env, ...probe } = await probed();
  turns = probe.turns;
  const origins = join(data.directory, 'origins.json');
  await writeFile(
    origins,
    JSON.stringify({ [copied]: { dump: { source: 'COPY', urls: [`file://${data.directory}/absent.gz`] } } }),
  );
  const roas = join(data.directory, 'roas.json');
  await writeFile(roas, JSON.stringify({ roas: manyRoas() }));
  const running = await runSystem(data.directory, {
    ...env,
    CADASTRE_ROA_SOURCE: roas,
    ...loadBalancerSettings,
    CADASTRE_GRS_SOURCES: copied,
    CADASTRE_MIRROR_ORIGINS_FILE: origins,
    CADASTRE_MIRROR_PUBLISH: 'TEST',
    CADASTRE_MIRROR_DUMPS: 'TEST',
    CADASTRE_WHOIS_NRTM_CLIENTS: '127.0.0.0/8,::1',
    // Limits and overload protection have their own tests.
    CADASTRE_LIMITS: '127.0.0.0/8 exempt',
    CADASTRE_GATEWAY_EVENT_LOOP_DELAY: '60s',
    CADASTRE_GATEWAY_DEADLINES: 'read=50s write=50s search=50s',
  });
  system = { ...running, turns };
  started = services();
  await storeLargeObjects();
  await warmUp();
  await untilPublished();
  await untilQuiet(system.pid);
});

afterAll(async () => {
  const dearest = measured.sort((a, b) => b.price.held - a.price.held).slice(0, 25);
  const lines = dearest.map(({ row, price }) => `${reported(price)}  ${row.sender}: ${row.operation}: ${row.what}`);
  console.log(`price: the most expensive of ${measured.length} rows measured alone\n${lines.join('\n')}`);
  await system?.stop();
  await data.remove();
  await rm(turns, { recursive: true });
});

test('every operation and media type of the description has rows, of both kinds of sender', async () => {
  const rest = restClient(system);
  const description = JSON.parse((await rest('/openapi.json')).text);
  rest.close();
  const described = describedOperations(description).flatMap(({ method, path, mediaTypes }) =>
    (mediaTypes.length === 0 ? [undefined] : mediaTypes).map((type) => [`${method} ${path}`, type].join(' ').trim()),
  );
  for (const sender of ['anonymous', 'maintainer']) {
    const own = rows.filter((row) => row.sender === sender);
    const covered = new Set(own.map(({ operation, mediaType }) => [operation, mediaType].join(' ').trim()));
    expect(described.filter((one) => !covered.has(one))).toEqual([]);
  }
});

const senders = { anonymous: 'an anonymous client', maintainer: 'a client with an API key' };

describe.each(['anonymous', 'maintainer'] as const)('what %s sends', (sender) => {
  const own = rows.filter((row) => row.sender === sender).map((row) => ({ ...row, by: senders[sender] }));
  test.each(inGroups(own))('$operation $mediaType: $what', checkPrice);
});

describe('what followers ask', () => {
  beforeAll(async () => {
    for (const sent of largestChanges(samples['as-set'])) {
      expect((await send(system, sent, system.credential)).status).toBe(200);
    }
    await untilQuiet(system.pid);
  });

  test.each(inGroups(mirrorRows()))('$operation: $what', checkPrice);
});

describe('what clients send to port 43', () => {
  test('every command has a row', async () => {
    expect(await commandsWithoutRow(system)).toEqual([]);
  });

  test.each(inGroups(port43Rows()))('$operation: $what', checkPrice);
});

describe('what clients of many prefixes send', () => {
  test.each(inGroups(prefixRows()))('$operation: $what', checkPrice);
});

describe('what clients ask when accounts have stored the most', () => {
  beforeAll(async () => {
    await load(system, [...setTexts(poisonSets), ...routeTexts(poisonRoutes), ...nestedNetworkTexts()]);
    await storeVersions(system, poisonVersions);
    await untilQuiet(system.pid);
  }, 300_000);

  test.each(inGroups(poisonRows()))('$operation: $what', checkPrice);
});

/** Rows with a small budget that follow each other are in one group; any other row has a group of its own. */
function inGroups<R extends Row>(all: readonly R[]): (R & { group: readonly Row[] })[] {
  let group: Row[] = [];
  return all.map((row) => {
    if (row.budget !== small || group[0]?.budget !== small || group.length === groupSize) group = [];
    group.push(row);
    return { ...row, group };
  });
}

/** The first row of a group measures all together: if their sum is within the budget, each row is. */
async function checkPrice(row: Row & { group: readonly Row[] }): Promise<void> {
  const { budget, group } = row;
  if (group.length > 1) {
    const within = groups.get(group) ?? sumIsWithin(budget, group);
    groups.set(group, within);
    if (await within) return;
  }
  const price = await leastPrice(attempts, budget, () => priceOf(system, requestsOf(row), budget));
  measured.push({ row, price });
  expect(isWithin(price, budget) ? 'within the budget' : reported(price)).toBe('within the budget');
}

async function sumIsWithin(budget: Budget, group: readonly Row[]): Promise<boolean> {
  const requests = group.flatMap(requestsOf);
  try {
    const { spent, ...price } = await priceOf(system, requests, budget);
    return isWithin({ ...price, spent: spent * requests.length }, budget);
  } catch {
    // The test of the row that fails shows how.
    return false;
  }
}

function isWithin({ held, spent }: Price, budget: Budget): boolean {
  return held <= budget.held && spent <= budget.spent;
}

test('no service has ended', () => {
  expect(started).toHaveLength(7);
  expect(services()).toEqual(started);
});

function services(): number[] {
  const own = descendants(system.pid).filter(({ command }) => /services\/\w+\/dist\/main\.js/.test(command));
  return own.map(({ pid }) => pid).sort();
}

function requestsOf({ sends, sender, outcome }: Row): (() => Promise<void>)[] {
  const credential = sender === 'maintainer' ? system.credential : undefined;
  return sends().map((sent) => async () => {
    if ('ask' in sent) {
      const status = await statusOf(sent);
      expect(kindOf(status, outcome), `status ${status} to ${sent.name}`).toBe(outcome);
      return;
    }
    const { status, bytes, failure = '' } = await send(system, sent, credential);
    const said = failure && `: ${failure}\n${system.output().slice(-4000)}\n`;
    expect(kindOf(status, outcome), `status ${status} to ${sent.method} ${sent.target.slice(0, 200)}${said}`).toBe(
      outcome,
    );
    const repeatable = sent.target.startsWith('/syncupdates') ? 1.5 * Buffer.byteLength(sent.body ?? '') : 0;
    if (status >= 400) expect(bytes, `octets of an answer ${status}`).toBeLessThan(maxRefusalBytes + repeatable);
  });
}

/** The status of a request by another interface, which is sent again after a 503. */
async function statusOf(requested: Requested): Promise<number> {
  for (let tries = 1; ; tries++) {
    const { status } = await requested.ask(system);
    if (status !== 503 || tries === maxTries) return status;
  }
}

/** The expected outcome if the status belongs to it; otherwise the status. */
function kindOf(status: number, outcome: Outcome): Outcome {
  const isTaken = status >= 200 && status < 400;
  // A client that continues to write after the server stopped reading may lose the response.
  const isRefused = (status >= 400 && status < 500) || status === 0;
  const fits = { taken: isTaken, refused: isRefused, answered: isTaken || isRefused };
  return typeof outcome === 'string' && fits[outcome] ? outcome : status;
}

function reported({ held, holder, spent }: Price): string {
  return `${Math.round(held)} ms held (${holder}), ${Math.round(spent)} ms spent`;
}

/** The largest possible objects, for rows that read them. */
async function storeLargeObjects(): Promise<void> {
  const max = bounds.writeCharacters - 8192;
  const objects = [
    person(['remarks', repeated('a ', max)]).map(named('BIG1-TEST')),
    person(...Array(bounds.bodyAttributes - 100).fill(['remarks', 'a'])).map(named('BIG2-TEST')),
  ];
  for (const object of objects) {
    const sent = post('/TEST/person', 'application/json', json(object));
    expect((await send(system, sent, system.credential)).status).toBe(200);
  }
  await eventually(async () => {
    const found = { method: 'GET', target: '/search?query-string=BIG2-TEST', headers: { accept: 'application/json' } };
    expect((await send(system, found, undefined)).status).toBe(200);
  });
}

function named(handle: string) {
  return ([name, value]: readonly [string, string]) => [name, name === 'nic-hdl' ? handle : value] as const;
}

async function untilPublished(): Promise<void> {
  const files = ['/nrtmv4/TEST/update-notification-file.jose', '/dumps/test/SHA256SUMS'];
  for (const target of files) {
    await eventually(async () => {
      expect((await send(system, { method: 'GET', target }, undefined)).status).toBe(200);
    });
  }
}

/** Uncompiled code costs more. */
async function warmUp(): Promise<void> {
  for (let round = 0; round < 20; round++) {
    for (const type of ['application/json', 'text/plain']) {
      const found = { method: 'GET', target: '/search?query-string=EXAMPLE-MNT', headers: { accept: type } };
      await send(system, found, undefined);
    }
    const sent = post('/TEST/person?dry-run', 'application/json', json(person(['remarks', repeated('a ', 20_000)])));
    await send(system, sent, system.credential);
  }
}
