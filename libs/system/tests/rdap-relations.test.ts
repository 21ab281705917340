import { type AddressRange, formatPrefix, formatRange } from '@cadastre/rpsl';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  bottomModel,
  firstLevelModel,
  type ModelRange,
  randomTree,
} from '../../../services/search/tests/random-trees.js';
import { cadastre } from './harness/cadastre.js';
import { type Rest, restClient } from './harness/rest.js';
import { freshDirectory, inOneProcess, type RunningSystem, runSystem } from './harness/run-system.js';
import { whoisClient } from './harness/whois.js';

// The relations of RDAP, from the gateway to the services that answer them, compared with all pairs of objects.
const attributes = 'admin-c: AE1-TEST\ntech-c: EN1-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n';

interface ModelObject extends ModelRange {
  readonly key: string;
  readonly status: string;
  readonly text: string;
}

/** Objects of a type, whose ranges are trees. */
interface Forest {
  readonly kind: 'ips' | 'domains';
  readonly member: 'ipSearchResults' | 'domainSearchResults';
  readonly objects: readonly ModelObject[];
  /** Of a parent with a child on the path. */
  readonly isAdministrative: (parent: ModelObject, child: ModelObject | undefined) => boolean;
}

const trees = inject('counts').relatedTrees;
const size = 4096n;

function networks(): ModelObject[] {
  const statuses = ['ALLOCATED PA', 'ASSIGNED PA', 'ALLOCATED UNSPECIFIED'];
  const ranges = Array.from({ length: trees }, (_, n) =>
    randomTree(n + 1, 0xc6120000n + BigInt(n) * size, size),
  ).flat();
  return ranges.map(({ first, last }, at) => {
    const key = formatRange({ family: 4, first, last });
    const status = statuses[at % statuses.length]!;
    const text = `inetnum: ${key}\nnetname: NET\ncountry: NL\nstatus: ${status}\n${attributes}`;
    return { first, last, key, status, text };
  });
}

/** The same trees as prefixes: each number is a nibble of four bits of the address, so that zones may have them too. */
function prefixes(): AddressRange[] {
  const found = new Map<string, AddressRange>();
  for (let seed = 1; seed <= 60; seed++) {
    const nibbles = (seed * 7919)
      .toString(16)
      .padStart(5, '0')
      .slice(0, 2 + (seed % 4));
    for (let length = 1 + (seed % 2); length <= nibbles.length; length += 1 + (seed % 3)) {
      const bits = BigInt(128 - 32 - 4 * length);
      const first = (0x20010db8n << 96n) | (BigInt(`0x${nibbles.slice(0, length)}`) << bits);
      const range: AddressRange = { family: 6, first, last: first + (1n << bits) - 1n };
      found.set(formatPrefix(range), range);
    }
  }
  return [...found.values()];
}

function networks6(): ModelObject[] {
  const statuses = ['ALLOCATED-BY-RIR', 'ALLOCATED-BY-RIR', 'ASSIGNED'];
  return prefixes().map((range, at) => {
    const status = statuses[at % statuses.length]!;
    const text = `inet6num: ${formatPrefix(range)}\nnetname: NET\ncountry: NL\nstatus: ${status}\n${attributes}`;
    return { ...range, key: formatPrefix(range), status, text };
  });
}

function zones(): ModelObject[] {
  return prefixes().map((range) => {
    const bits = (range.last - range.first + 1n).toString(2).length - 1;
    const nibbles = range.first
      .toString(16)
      .padStart(32, '0')
      .slice(0, 32 - bits / 4);
    const key = `${[...nibbles].reverse().join('.')}.ip6.arpa`;
    return {
      ...range,
      key,
      status: '',
      text: `domain: ${key}\nnserver: ns1.example.net\nzone-c: EN1-TEST\n${attributes}`,
    };
  });
}

const forests: Record<string, Forest> = {
  inetnum: {
    kind: 'ips',
    member: 'ipSearchResults',
    objects: networks(),
    isAdministrative: (parent) => parent.status === 'ALLOCATED UNSPECIFIED',
  },
  inet6num: {
    kind: 'ips',
    member: 'ipSearchResults',
    objects: networks6(),
    isAdministrative: (parent, child) => parent.status === 'ALLOCATED-BY-RIR' && child?.status === 'ALLOCATED-BY-RIR',
  },
  domain: { kind: 'domains', member: 'domainSearchResults', objects: zones(), isAdministrative: () => false },
};

let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
let rest: Rest & { close(): void };

beforeAll(async () => {
  data = await freshDirectory();
  system = await runSystem(data.directory, { ...inOneProcess, CADASTRE_LIMITS: '127.0.0.0/8 exempt' });
  rest = restClient(system);
  const texts = Object.values(forests).flatMap(({ objects }) => objects.map(({ text }) => text));
  expect(await cadastre(system, ['load', '--source', 'TEST', '-'], texts.join('\n'))).toMatchObject({ code: 0 });
  // A search that names the serial of a later write waits for the index.
  const later = 'as-set: AS-LATER\ntech-c: EN1-TEST\nadmin-c: AE1-TEST\nmnt-by: EXAMPLE-MNT\nsource: TEST\n';
  const { headers } = await whoisClient(rest, system.credential).create('as-set', later);
  const serial = String(headers['cadastre-serial']);
  const waited = await rest('/search?query-string=AS-LATER', { headers: { 'cadastre-serial': serial } });
  expect(waited.status).toBe(200);
});
afterAll(async () => {
  rest?.close();
  await system?.stop();
  await data.remove();
});

async function related({ kind, member }: Forest, relation: string, key: string): Promise<string[] | undefined> {
  const { status, text } = await rest(`/rdap/${kind}/rirSearch1/${relation}/${encodeURIComponent(key)}`);
  if (status === 404) return undefined;
  expect(status, `${relation} ${key}`).toBe(200);
  const document = JSON.parse(text);
  const found = document[member] ?? [document];
  return found.map(({ handle }: { handle: string }) => handle);
}

describe.each(Object.keys(forests))('relations of each %s', (type) => {
  const forest = forests[type]!;
  const keysOf = (found: readonly ModelRange[]) =>
    found.length === 0 ? undefined : found.map((one) => (one as ModelObject).key).sort();

  test('downwards are those of the model', async () => {
    for (const object of forest.objects) {
      expect((await related(forest, 'rdap-down', object.key))?.sort()).toEqual(
        keysOf(firstLevelModel(forest.objects, object)),
      );
      const bottom = await related(forest, 'rdap-bottom', object.key);
      const model = keysOf(bottomModel(forest.objects, object));
      if ((model?.length ?? 0) <= 100) expect(bottom?.sort()).toEqual(model);
      else expect(bottom).toHaveLength(100);
    }
  });

  test('upwards are those of the model', async () => {
    for (const object of forest.objects) {
      const around = forest.objects
        .filter((one) => one !== object && one.first <= object.first && one.last >= object.last)
        .sort((one, other) => (one.last - one.first < other.last - other.first ? -1 : 1));
      const holders = around.filter((one, at) => !forest.isAdministrative(one, around[at - 1] ?? object));
      const isUp = around[0] !== undefined && holders[0] === around[0];
      // The roots of the sample registry are around all of them.
      const withoutRoots = (found: string[] | undefined) =>
        found?.filter(
          (key) => !['0.0.0.0 - 255.255.255.255', '::/0', '2001:db8::/32', '8.b.d.0.1.0.0.2.ip6.arpa'].includes(key),
        );
      expect([object.key, withoutRoots(await related(forest, 'rdap-up', object.key)) ?? []]).toEqual([
        object.key,
        isUp ? [around[0]!.key] : [],
      ]);
    }
  });
});
