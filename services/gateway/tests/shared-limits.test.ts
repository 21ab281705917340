import { randomInt } from 'node:crypto';
import { fixedClock, isSkipped } from '@cadastre/service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type RunningGateway, startGateway } from './gateway.fixture.js';
import { clientAt, limitedBackends, limitedSettings } from './limits.fixture.js';
import { startRedisPair } from './redis-sentinel.fixture.js';
import { hasOwnRedis, hasRedis, type RedisServer, startRedis } from './redis-server.fixture.js';

const person = '/TEST/person/PP1-TEST.txt';
const clock = fixedClock('2026-11-21T12:00:00Z');
const operations = ['127.0.0.1:0', '127.0.0.1:0'];

async function* emptyResult() {
  yield { objects: [], flags: [], messages: [], serial: 0n };
}

describe.skipIf(!hasRedis())('two gateways with one Redis', () => {
  let redis: RedisServer;
  let gateways: [RunningGateway, RunningGateway];

  beforeAll(async () => {
    redis = await startRedis();
    const start = (address: string) =>
      startGateway(
        { ...limitedBackends, search: { search: emptyResult } },
        {
          ...limitedSettings,
          CADASTRE_LIMITS: 'personal-objects=10 searches=100 block-after=2',
          CADASTRE_REDIS_URL: redis.url,
          CADASTRE_OPERATIONS: address,
        },
        clock.now,
        { limitsSync: 10 },
      );
    gateways = [await start(operations[0]!), await start(operations[1]!)];
  });
  afterAll(async () => {
    for (const gateway of gateways) await gateway.stop();
    await redis.remove();
  });
  beforeEach(() => clock.set('2026-11-21T12:00:00Z'));

  /** One client at both gateways. */
  function newClient(address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`) {
    const [first, second] = [clientAt(gateways[0], address), clientAt(gateways[1], address)];
    const usedAt = async (send: typeof first) => {
      clock.advance(1000);
      const { limits } = JSON.parse((await send('/metadata/limits.json')).text);
      return limits.limit.find((one: { name: string }) => one.name === 'personal-objects').used as number;
    };
    return { first, second, usedAt };
  }

  async function see(send: ReturnType<typeof clientAt>, times: number): Promise<number[]> {
    const statuses = [];
    for (let n = 0; n < times; n++) statuses.push((await send(person)).status);
    return statuses;
  }

  const stateOf = async (index: 0 | 1) => {
    const address = gateways[index].gateway.operationsAddress();
    const ready = await (await fetch(`http://${address}/ready`)).text();
    const metrics = await (await fetch(`http://${address}/metrics`)).text();
    return { ready, shared: /^cadastre_limits_shared\{.*\} (\d)$/m.exec(metrics)?.[1] };
  };

  it('share the counts of the networks around clients', async () => {
    const site = `2001:db8:${randomInt(0x10000).toString(16)}`;
    for (const n of [1, 2]) expect(await see(newClient(`${site}:${n}::1`).first, 10)).toEqual(Array(10).fill(200));
    const { second, usedAt } = newClient(`${site}:3::1`);
    // Each look counts an object: rare ones leave Redis the time that it needs on a busy machine.
    await expect.poll(async () => (await second(person)).status, { interval: 500 }).toBe(429);
    // Two clients have used all of their /56; this one has used almost nothing.
    expect(await usedAt(second)).toBeLessThan(10);
    expect(await see(newClient(`${site}:103::1`).second, 1)).toEqual([200]);
  });

  it('share the count of objects that a client has seen', async () => {
    const { first, second, usedAt } = newClient();
    expect(await see(first, 6)).toEqual(Array(6).fill(200));
    await expect.poll(() => usedAt(second)).toBe(6);
    expect(await see(second, 4)).toEqual(Array(4).fill(200));
    await expect.poll(() => usedAt(first)).toBe(10);
    expect(await see(first, 1)).toEqual([429]);
    await expect.poll(() => usedAt(second)).toBe(11);
    expect((await second('/TEST/mntner/EXAMPLE-MNT')).status).toBe(429);
  });

  it('share concurrent counts exactly', async () => {
    const { first, second, usedAt } = newClient();
    await Promise.all([see(first, 5), see(second, 4)]);
    await expect.poll(async () => (await usedAt(first)) === 9 && (await usedAt(second)) === 9).toBe(true);
  });

  it('share how much a client searches in a second', async () => {
    const { first, second } = newClient();
    const search = async (send: typeof first) => (await send('/search?query-string=x')).status;
    const used = async (send: typeof first) => {
      const { limits } = JSON.parse((await send('/metadata/limits.json')).text);
      return limits.limit.find((one: { name: string }) => one.name === 'searches').used as number;
    };
    for (let n = 0; n < 90; n++) expect(await search(first)).toBe(200);
    let own = 0;
    // Ten searches are left: rare ones leave Redis the time that it needs on a busy machine.
    const look = async () => {
      own++;
      await search(second);
      return (await used(second)) - own >= 90;
    };
    await expect.poll(look, { interval: 500 }).toBe(true);
    expect(await used(second)).toBe(90 + own);
    while ((await search(second)) === 200) own++;
    expect(own).toBe(10);
  });

  it('share the block of a client that continues', async () => {
    const { first, second } = newClient();
    await see(first, 11);
    clock.advance(1000);
    await see(first, 1);
    expect(await see(first, 1)).toEqual([403]);
    await expect
      .poll(async () => {
        clock.advance(1000);
        return (await second('/metadata/sources')).status === 403;
      })
      .toBe(true);
  });

  it('begin a new day together', async () => {
    const { first, second, usedAt } = newClient();
    await see(first, 6);
    await expect.poll(() => usedAt(second)).toBe(6);
    clock.set('2026-11-22T00:00:00Z');
    expect(await usedAt(second)).toBe(0);
  });

  const missing = hasOwnRedis() ? [] : ['redis-server'];
  it.skipIf(isSkipped('the death of Redis', missing, { isOptional: true })).each([
    ['dies', () => redis.kill(), () => redis.start()],
    ['hangs', async () => redis.signal('SIGSTOP'), async () => redis.signal('SIGCONT')],
  ])('work independently when Redis %s, log it, and synchronise again afterwards', async (_, goAway, comeBack) => {
    const { first, second, usedAt } = newClient();
    await see(first, 3);
    await expect.poll(() => usedAt(second)).toBe(3);
    await goAway();
    expect(await see(first, 3)).toEqual([200, 200, 200]);
    expect(await see(second, 1)).toEqual([200]);
    for (const index of [0, 1] as const) {
      await expect.poll(async () => (await stateOf(index)).shared).toBe('0');
      expect((await stateOf(index)).ready).toBe('ready, but degraded: redis\n');
    }
    expect([await usedAt(first), await usedAt(second)]).toEqual([6, 4]);
    await comeBack();
    await expect.poll(async () => (await usedAt(first)) === 7 && (await usedAt(second)) === 7).toBe(true);
    for (const index of [0, 1] as const) {
      await expect.poll(async () => (await stateOf(index)).shared).toBe('1');
      expect((await stateOf(index)).ready).toBe('ready\n');
    }
  });
});

describe.skipIf(!hasOwnRedis())('two gateways with Redis behind a Sentinel', () => {
  it.each(['SIGKILL', 'SIGSTOP'] as const)('follow the new primary after %s of the old one', async (signal) => {
    const pair = await startRedisPair();
    onTestFinished(pair.remove);
    const settings = { ...limitedSettings, ...pair.settings, CADASTRE_LIMITS: 'personal-objects=10' };
    const start = () => startGateway(limitedBackends, settings, clock.now, { limitsSync: 10 });
    const gateways = await Promise.all([start(), start()]);
    onTestFinished(async () => void (await Promise.all(gateways.map((gateway) => gateway.stop()))));
    const [first, second] = gateways.map((gateway) => clientAt(gateway, '10.9.8.7'));
    const used = async () => {
      clock.advance(1000);
      const { limits } = JSON.parse((await second!('/metadata/limits.json')).text);
      return limits.limit.find((one: { name: string }) => one.name === 'personal-objects').used as number;
    };
    for (let n = 0; n < 3; n++) expect((await first!(person)).status).toBe(200);
    await expect.poll(used).toBe(3);
    pair.signalPrimary(signal);
    for (let n = 0; n < 2; n++) expect((await first!(person)).status).toBe(200);
    // Of the latest data of the first gateway, the old primary may have received one exchange (ADR 0066).
    const usedAfterOneMore = async () => {
      await first!(person);
      return used();
    };
    await expect.poll(usedAfterOneMore, { interval: 1000 }).toBeGreaterThan(5);
  });
});
