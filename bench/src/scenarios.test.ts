import { isObjectTypeName, parseKey } from '@cadastre/rpsl';
import { registryPlan } from '@cadastre/synthetic';
import { describe, expect, it } from 'vitest';
import { geoScenarios, lookupPaths, searchScenarios } from './scenarios.ts';

const plan = registryPlan({ objects: 10_000, seed: 1, source: 'TEST' });

describe('lookups', () => {
  it('reach every object of the registry once', () => {
    const paths = lookupPaths(plan, 'json', 1_000_000);
    expect(new Set(paths).size).toBe(10_000);
  });

  it('ask for keys that belong to their type, in the given format', () => {
    for (const path of lookupPaths(plan, 'xml', 500)) {
      const [, source, type = '', key = ''] = path.replace(/\.xml$/, '').split('/');
      expect(source).toBe('TEST');
      expect(isObjectTypeName(type) && parseKey(type, decodeURIComponent(key)), path).toBeTruthy();
    }
  });

  it('spread few requests over many types', () => {
    const types = new Set(lookupPaths(plan, 'json', 300).map((path) => path.split('/')[2]));
    expect(types.size).toBeGreaterThan(7);
  });
});

describe.each([searchScenarios(plan), geoScenarios(plan)].flat())('$name', ({ distinct, request }) => {
  it('asks different questions', () => {
    expect(distinct).toBeGreaterThan(5);
    const paths = Array.from({ length: distinct }, (_, n) => request(n).path);
    expect(new Set(paths).size).toBeGreaterThan(distinct * 0.9);
    expect(paths.join()).not.toContain('undefined');
  });
});
