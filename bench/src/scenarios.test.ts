import { isObjectTypeName, parseKey } from '@cadastre/rpsl';
import { registryPlan } from '@cadastre/synthetic';
import { describe, expect, it } from 'vitest';
import { filterMix, restMix, ripeMix } from './mixes.ts';
import { geoScenarios, lookupPaths, missingLookups, rdapLookups, searchScenarios } from './scenarios.ts';
import { whoisScenarios } from './whois-scenarios.ts';

const plan = registryPlan({ objects: 10_000, seed: 1, source: 'TEST' });

describe('lookups', () => {
  it('reach every object of the registry once', () => {
    const paths = lookupPaths(plan, 'json', 1_000_000);
    expect(new Set(paths).size).toBe(10_000);
  });

  it('request keys that belong to their type, in the given format', () => {
    for (const path of lookupPaths(plan, 'xml', 500)) {
      const [, source, type = '', key = ''] = path.replace(/\.xml$/, '').split('/');
      expect(source).toBe('TEST');
      expect(isObjectTypeName(type) && parseKey(type, decodeURIComponent(key)), path).toBeTruthy();
    }
  });

  it('request missing objects', () => {
    const handles = (['person', 'role'] as const).flatMap((type) =>
      Array.from({ length: plan.counts[type] }, (_, index) => plan.key(type, index)),
    );
    const [letters] = /^[A-Z]+/.exec(missingLookups(plan, 0).request(0).path.split('/').at(-1)!)!;
    expect(handles.filter((handle) => new RegExp(`^${letters}\\d`).test(handle))).toEqual([]);
  });

  it('spread few requests over many types', () => {
    const types = new Set(lookupPaths(plan, 'json', 300).map((path) => path.split('/')[2]));
    expect(types.size).toBeGreaterThan(7);
  });
});

describe.each([searchScenarios(plan), geoScenarios(plan)].flat())('$name', ({ distinct, request }) => {
  it('has different requests', () => {
    expect(distinct).toBeGreaterThan(5);
    const paths = Array.from({ length: distinct }, (_, n) => request(n).path);
    expect(new Set(paths).size).toBeGreaterThan(distinct * 0.9);
    expect(paths.join()).not.toContain('undefined');
  });
});

describe.each(rdapLookups(plan))('RDAP $name', ({ rdap, rest }) => {
  it('requests the same objects by RDAP and by REST', () => {
    expect(rdap.distinct).toBe(rest.distinct);
    for (let n = 0; n < 100; n += 1) {
      const key = rdap.request(n).path.split('/').at(-1);
      expect(rest.request(n).path.split('/').at(-1)).toBe(`${key}.json`);
    }
  });
});

describe('mixes', () => {
  const lines = whoisScenarios(plan);
  const countOf = (texts: readonly string[], pattern: RegExp) => texts.filter((text) => pattern.test(text)).length;

  it('write a tenth of the requests of REST, and expect of each its own status', () => {
    const mix = restMix(plan, 'key');
    const requests = Array.from({ length: 2000 }, (_, n) => mix.request(n));
    expect(requests.filter(({ method }) => method !== 'GET').length).toBe(200);
    expect(requests.filter(({ statuses }) => statuses?.includes(404)).length).toBe(100);
    const creates = requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
    expect(new Set(creates).size).toBe(100);
  });

  it('have the lines of port 43 in their shares', () => {
    const [ripe, filters] = [ripeMix(lines), filterMix(lines)].map(({ question }) =>
      Array.from({ length: 180 }, (_, n) => question(n).line),
    );
    expect(countOf(ripe!, /^[0-9.]+$/)).toBe(72);
    expect(countOf(ripe!, /^-r ZQZQ/)).toBe(18);
    expect([/^!i/, /^!g/, /^!6/].map((pattern) => countOf(filters!, pattern))).toEqual([20, 80, 80]);
  });
});
