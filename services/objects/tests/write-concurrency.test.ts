import { ChangeAction } from '@cadastre/proto/objects';
import { samples } from '@cadastre/rpsl';
import { inTransaction } from '@cadastre/service';
import pg from 'pg';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { lockSourceAlone } from '../src/store/locks.js';
import { createWriteTurns } from '../src/write/write-turns.js';
import { inetnum, lookup, readerOf, useContext } from './test-context.js';
import { alice, bob, edited, mntner, person, principal, startRegistry, writerOf } from './write-context.js';

// Decision W11: transactions that really run at the same time, many rounds each.
const rounds = inject('counts').concurrentWrites;

const setup = useContext();
const writer = () => writerOf(setup.context);
beforeAll(() => startRegistry(setup.context));

const named = (handle: string) => edited(person, { 'nic-hdl': handle });
const roleWith = (handle: string, contact: string) =>
  edited(samples.role, { org: undefined, 'nic-hdl': handle, 'admin-c': contact, 'tech-c': 'AE1-TEST' });
const net = (range: string) => edited(inetnum(range).replaceAll('SB1-TEST', 'AE1-TEST'), { 'mnt-by': 'EXAMPLE-MNT' });

/** Handles with two letters for each round. */
const letters = (round: number) =>
  `${String.fromCharCode(65 + (round % 26))}${String.fromCharCode(65 + Math.trunc(round / 26))}`;

describe('two concurrent writes', () => {
  test('an object is deleted while a create names it: never both', async () => {
    for (let round = 0; round < rounds; round++) {
      const target = `${letters(round)}1-TEST`;
      await writer().create(named(target));
      const [deleted, created] = await Promise.all([
        writer().remove('person', target),
        writer().create(roleWith(`${letters(round)}2-TEST`, target)),
      ]);
      expect(['DELETED INVALID', 'REFERENCED CREATED']).toContain(`${deleted.outcome} ${created.outcome}`);
    }
  });

  test('an object is deleted while an update of another names it: never both', async () => {
    await writer().create(roleWith('UPD1-TEST', 'AE1-TEST'));
    for (let round = 0; round < rounds; round++) {
      const target = `${letters(round)}11-TEST`;
      await writer().create(named(target));
      const [deleted, updated] = await Promise.all([
        writer().remove('person', target),
        writer().update('role', 'UPD1-TEST', roleWith('UPD1-TEST', target)),
      ]);
      expect(['DELETED INVALID', 'REFERENCED MODIFIED']).toContain(`${deleted.outcome} ${updated.outcome}`);
    }
  });

  test('two that name each other’s new objects do not deadlock', async () => {
    for (let round = 0; round < rounds; round++) {
      const [one, two] = [`${letters(round)}21-TEST`, `${letters(round)}22-TEST`];
      const group = (handle: string, contact: string) =>
        writer().apply([[ChangeAction.CHANGE_ACTION_CREATE, roleWith(handle, contact)]]);
      const results = await Promise.all([group(one, two), group(two, one)]);
      const outcomes = results.flat().map((result) => result.outcome);
      expect(outcomes.filter((outcome) => outcome === 'CREATED').length).toBeLessThanOrEqual(1);
    }
  });

  test('one key is created twice: one wins, the other is refused because it exists', async () => {
    for (let round = 0; round < rounds; round++) {
      const set = edited(samples['as-set'], {
        'as-set': `AS-ROUND${round}`,
        org: undefined,
        'tech-c': 'AE1-TEST',
        'mbrs-by-ref': undefined,
      });
      const results = await Promise.all([1, 2, 3].map(() => writer().create(set)));
      expect(results.map((result) => result.outcome).sort()).toEqual(['CREATED', 'EXISTS', 'EXISTS']);
    }
  });

  test('one key is put by writes that do not wait for each other: one creates it, the others update it', async () => {
    for (let round = 0; round < rounds; round++) {
      const set = edited(samples['as-set'], {
        'as-set': `AS-PUT${round}`,
        org: undefined,
        'tech-c': 'AE1-TEST',
        'mbrs-by-ref': undefined,
      });
      const results = await Promise.all(
        ['one', 'two', 'three'].map((remarks) =>
          writerOf({ ...setup.context, writeTurns: createWriteTurns() }).apply([
            [ChangeAction.CHANGE_ACTION_PUT, edited(set, { remarks })],
          ]),
        ),
      );
      const outcomes = results.flat().map((result) => result.outcome);
      expect(outcomes.sort()).toEqual(['CREATED', 'MODIFIED', 'MODIFIED']);
    }
  });

  test('a person and a role with one handle: one wins', async () => {
    for (let round = 0; round < rounds; round++) {
      const handle = `${letters(round)}3-TEST`;
      const results = await Promise.all([
        writer().create(named(handle)),
        writer().create(roleWith(handle, 'AE1-TEST')),
      ]);
      expect(results.map((result) => result.outcome).sort()).toEqual(['CREATED', 'INVALID']);
    }
  });

  test('two persons with one number of a stem, written differently: one wins', async () => {
    for (let round = 0; round < rounds; round++) {
      const results = await Promise.all([
        writer().create(named(`${letters(round)}5-TEST`)),
        writer().create(named(`${letters(round)}05-TEST`)),
      ]);
      expect(results.map((result) => result.outcome).sort()).toEqual(['CREATED', 'INVALID']);
    }
  });

  test('networks that overlap in part: one wins', async () => {
    for (let round = 0; round < rounds; round++) {
      const results = await Promise.all([
        writer().create(net(`10.${round}.0.0 - 10.${round}.0.127`)),
        writer().create(net(`10.${round}.0.64 - 10.${round}.0.191`)),
      ]);
      expect(results.map((result) => result.outcome).sort()).toEqual(['CREATED', 'INVALID']);
    }
  });

  test.each<[string, (round: number) => [string, string]]>([
    ['in different /24s', (round) => [`10.0.${round}.0 - 10.0.${round}.255`, `10.0.${round}.128 - 10.1.${round}.127`]],
    ['of very different sizes', (round) => [`13.${round}.0.4 - 13.${round}.0.7`, `13.${round}.0.6 - 14.${round}.0.0`]],
  ])('networks that overlap in part, %s: one wins', async (_, ranges) => {
    for (let round = 0; round < rounds; round++) {
      const results = await Promise.all(ranges(round).map((range) => writer().create(net(range))));
      expect(results.map((result) => result.outcome).sort()).toEqual(['CREATED', 'INVALID']);
      await Promise.all(ranges(round).map((range) => writer().remove('inetnum', range)));
    }
  });

  test('reverse domains above one another: one wins', async () => {
    const domain = (name: string) =>
      edited(samples.domain, { domain: name, org: undefined, 'tech-c': 'AE1-TEST', 'zone-c': 'AE1-TEST' });
    for (let round = 0; round < rounds; round++) {
      const results = await Promise.all([
        writer().create(domain(`${round}.10.in-addr.arpa`)),
        writer().create(domain(`7.${round}.10.in-addr.arpa`)),
      ]);
      expect(results.map((result) => result.outcome).sort()).toEqual(['CREATED', 'INVALID']);
    }
  });

  test('an abuse mailbox is removed while a network starts to use it: never both', async () => {
    const silent = (handle: string) => edited(roleWith(handle, 'AE1-TEST'), { 'abuse-mailbox': undefined });
    for (let round = 0; round < rounds; round++) {
      const handle = `${letters(round)}4-TEST`;
      await writer().create(roleWith(handle, 'AE1-TEST'));
      const [updated, created] = await Promise.all([
        writer().update('role', handle, silent(handle)),
        writer().create(edited(net(`10.${100 + round}.0.0 - 10.${100 + round}.0.255`), { 'abuse-c': handle })),
      ]);
      expect(['MODIFIED INVALID', 'INVALID CREATED']).toContain(`${updated.outcome} ${created.outcome}`);
    }
  });
});

describe('authority that changes during a write: writes that need it commit before the change', () => {
  const bobs = edited(mntner, { mntner: 'BOB-MNT', 'mnt-by': 'BOB-MNT', auth: 'SSO bob@example.net' });
  const shared = (auth: string) =>
    edited(mntner, { mntner: 'SHARED-MNT', 'mnt-by': 'EXAMPLE-MNT', auth: `SSO ${auth}@example.net` });
  beforeAll(async () => {
    await writer().create(bobs, bob);
    await writer().create(shared('bob'));
  });

  test('the mnt-lower of the parent', async () => {
    const parent = net('11.0.0.0 - 11.255.255.255');
    const lower = (name: string) => edited(parent, { 'mnt-lower': name });
    await writer().create(lower('BOB-MNT'));
    for (let round = 0; round < rounds; round++) {
      const child = edited(net(`11.${round}.0.0 - 11.${round}.0.255`), { 'mnt-by': 'BOB-MNT' });
      const [updated, created] = await Promise.all([
        writer().update('inetnum', '11.0.0.0 - 11.255.255.255', lower('EXAMPLE-MNT')),
        writer().create(child, bob),
      ]);
      expect(updated.outcome).toBe('MODIFIED');
      expect(created.outcome === 'UNAUTHORISED' || created.serial < updated.serial).toBe(true);
      await writer().update('inetnum', '11.0.0.0 - 11.255.255.255', lower('BOB-MNT'));
    }
  });

  test('a network is deleted while one is created inside: the new one rests on what is left', async () => {
    await writer().create(net('15.0.0.0 - 15.255.255.255'));
    for (let round = 0; round < rounds; round++) {
      const outer = `15.${round}.0.0 - 15.${round}.255.255`;
      await writer().create(edited(net(outer), { 'mnt-lower': 'BOB-MNT' }));
      const [deleted, created] = await Promise.all([
        writer().remove('inetnum', outer),
        writer().create(net(`15.${round}.7.0 - 15.${round}.7.15`)),
      ]);
      expect(deleted.outcome).toBe('DELETED');
      expect(created.outcome === 'UNAUTHORISED' || created.serial > deleted.serial).toBe(true);
    }
  });

  test('the auth of a mntner that only the stored object names', async () => {
    for (let round = 0; round < rounds; round++) {
      const handle = `${letters(round)}71-TEST`;
      await writer().create(edited(named(handle), { 'mnt-by': 'SHARED-MNT' }), bob);
      const [updated, taken] = await Promise.all([
        writer().update('mntner', 'SHARED-MNT', shared('alice')),
        writer().update('person', handle, edited(named(handle), { 'mnt-by': 'BOB-MNT' }), bob),
      ]);
      expect(updated.outcome).toBe('MODIFIED');
      expect(taken.outcome === 'UNAUTHORISED' || taken.serial < updated.serial).toBe(true);
      await writer().update('mntner', 'SHARED-MNT', shared('bob'));
    }
  });

  test('routes of one prefix: the first must authorise the second', async () => {
    await writer().create(edited(net('12.0.0.0 - 12.255.255.255'), { 'mnt-lower': 'SHARED-MNT' }));
    await writer().update('mntner', 'SHARED-MNT', `${shared('bob')}auth: SSO alice@example.net\n`);
    for (let round = 0; round < rounds; round++) {
      const route = (origin: string, maintainer: string) =>
        edited(samples.route, {
          route: `12.${round}.0.0/16`,
          origin,
          'mnt-by': maintainer,
          pingable: undefined,
          holes: undefined,
          'ping-hdl': undefined,
          'member-of': undefined,
          org: undefined,
        });
      const results = await Promise.all([
        writer().create(route('AS64500', 'EXAMPLE-MNT')),
        writer().create(route('AS64501', 'BOB-MNT'), bob),
      ]);
      expect(results.map((result) => result.outcome).sort()).toEqual(['CREATED', 'UNAUTHORISED']);
    }
  });
});

describe('while a load holds the source lock', () => {
  /** Runs while another connection holds what every write must have. */
  const whileLocked = (run: () => Promise<void>) =>
    inTransaction(setup.context.loadPool, async (db) => {
      await lockSourceAlone(db, setup.context.sources.main.id);
      await run();
    });

  test('a dry run succeeds: it waits for no lock', async () => {
    const network = net('10.200.0.0 - 10.200.0.255');
    await writer().create(named('DL1-TEST'));
    await whileLocked(async () => {
      expect((await writer().create(network, alice, true)).outcome).toBe('CREATED');
      expect((await writer().create(edited(named('AUTO-1'), { person: 'Dora Lock' }), alice, true)).object?.key).toBe(
        'DL2-TEST',
      );
      const changed = edited(named('DL1-TEST'), { remarks: 'new' });
      expect((await writer().update('person', 'DL1-TEST', changed, alice, true)).outcome).toBe('MODIFIED');
      expect((await writer().remove('person', 'DL1-TEST', alice, true)).outcome).toBe('DELETED');
      expect((await writer().create(network, bob, true)).outcome).toBe('UNAUTHORISED');
    });
  });

  test('an anonymous write is refused without waiting', async () => {
    await whileLocked(async () => {
      expect((await writer().remove('person', 'AE1-TEST', principal(''))).outcome).toBe('UNAUTHORISED');
      expect((await writer().create(net('10.200.0.0 - 10.200.0.255'), principal(''))).outcome).toBe('UNAUTHORISED');
    });
  });
});

test('AUTO keys of one dry run differ, and none stays taken', async () => {
  const auto = (key: string) => edited(person, { person: 'Yvonne Yak', 'nic-hdl': key });
  const attempt = (...keys: string[]) =>
    writer().apply(
      keys.map((key) => [ChangeAction.CHANGE_ACTION_CREATE, auto(key)] as const),
      alice,
      true,
    );
  for (let time = 0; time < 2; time++) {
    const pair = await attempt('AUTO-1', 'AUTO-2');
    expect(pair.map(({ object }) => object?.key)).toEqual(['YY1-TEST', 'YY2-TEST']);
  }
  const outcomes = (await attempt('AUTO-1', 'AUTO-2', 'YY2-TEST')).map(({ outcome }) => outcome);
  expect(outcomes).toEqual(['SKIPPED', 'SKIPPED', 'INVALID']);
});

test.each(['AUTO-1', 'WW1-TEST'])(
  'a handle that release 0.2 takes at the same moment is not given twice: %s',
  async (key) => {
    const stem = key === 'AUTO-1' ? 'wx' : 'ww';
    const text = edited(person, { person: `${stem[0]} ${stem[1]}`, 'nic-hdl': key });
    const old = new pg.Client(setup.url);
    await old.connect();
    try {
      // It locks the row of the stem.
      await old.query('begin');
      await old.query("insert into handle values (1, 'nic-hdl', $1, '{[1,2)}')", [`${stem}-test`]);
      const created = writer().create(text);
      const isWaiting = async () => {
        const { rows } = await setup.context.readPool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows.length > 0;
      };
      await expect.poll(isWaiting).toBe(true);
      await old.query('commit');
      const { outcome, object } = await created;
      expect([outcome, object?.key]).toEqual(key === 'AUTO-1' ? ['CREATED', 'WX2-TEST'] : ['INVALID', 'WW1-TEST']);
    } finally {
      await old.end();
    }
  },
);

describe('many concurrent writes', () => {
  test('AUTO handles of one stem, and fixed ones among them, are assigned once', async () => {
    const auto = edited(person, { person: 'Zelda Zebra', 'nic-hdl': 'AUTO-1' });
    const fixed = Array.from({ length: 10 }, (_, n) => writer().create(named(`ZZ${n + 5}-TEST`)));
    const made = Array.from({ length: 30 }, () => writer().create(auto));
    const results = await Promise.all([...fixed, ...made]);
    const keys = results.filter((result) => result.outcome === 'CREATED').map((result) => result.object!.key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(results.slice(10).map((result) => result.outcome)).toEqual(Array(30).fill('CREATED'));
    const fixedOutcomes = results.slice(0, 10).map((result) => result.outcome);
    expect(fixedOutcomes.filter((outcome) => !['CREATED', 'INVALID', 'EXISTS'].includes(outcome))).toEqual([]);
  });

  test('no acknowledged write is lost: each has its own version, and serials have no gaps', async () => {
    await writer().create(named('VV1-TEST'));
    const before = (await readerOf(setup.context).listSources({})).sources[0]!.serial;
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        writer().update('person', 'VV1-TEST', `${named('VV1-TEST')}remarks: ${n}\n`),
      ),
    );
    expect(results.map((result) => result.outcome)).toEqual(Array(40).fill('MODIFIED'));
    const serials = results.map((result) => result.serial).sort((a, b) => Number(a - b));
    expect(serials).toEqual(Array.from({ length: 40 }, (_, n) => before + 1n + BigInt(n)));
    const revisions = results.map((result) => result.object!.revision).sort((a, b) => a - b);
    expect(revisions).toEqual(Array.from({ length: 40 }, (_, n) => n + 2));
    const last = results.find((result) => result.object!.revision === 41)!;
    expect((await lookup(setup.context, 'person', 'VV1-TEST'))!.text).toBe(last.text);
  });

  test('groups that share objects in opposite orders all end', async () => {
    const handles = ['GA91-TEST', 'GB91-TEST', 'GC91-TEST'];
    for (const handle of handles) {
      await writer().create(named(handle));
    }
    const update = (order: readonly string[], n: number) =>
      writer().apply(
        order.map((handle) => [ChangeAction.CHANGE_ACTION_UPDATE, `${named(handle)}remarks: ${n}\n`] as const),
      );
    const results = await Promise.all(
      Array.from({ length: 30 }, (_, n) => update(n % 2 === 0 ? handles : handles.toReversed(), n)),
    );
    expect(results.flat().every((result) => result.outcome === 'MODIFIED')).toBe(true);
    const texts = await Promise.all(
      handles.map(async (handle) => (await lookup(setup.context, 'person', handle))!.text),
    );
    expect(new Set(texts.map((text) => /remarks: +(\d+)/.exec(text)![1])).size).toBe(1);
  });
});
