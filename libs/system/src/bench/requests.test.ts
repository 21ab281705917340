import { isObjectTypeName, parseKey } from '@cadastre/rpsl';
import { registryPlan } from '@cadastre/synthetic';
import { expect, it } from 'vitest';
import { lookupPaths } from './requests.js';

const plan = registryPlan({ objects: 10_000, seed: 1, source: 'TEST' });

it('reaches every object of the registry once', () => {
  const paths = lookupPaths(plan, 'json', 1_000_000);
  expect(new Set(paths).size).toBe(10_000);
});

it('asks for keys that belong to their type, in the given format', () => {
  for (const path of lookupPaths(plan, 'xml', 500)) {
    const [, source, type = '', key = ''] = path.replace(/\.xml$/, '').split('/');
    expect(source).toBe('TEST');
    expect(isObjectTypeName(type) && parseKey(type, decodeURIComponent(key)), path).toBeTruthy();
  }
});

it('spreads few requests over many types', () => {
  const types = new Set(lookupPaths(plan, 'json', 300).map((path) => path.split('/')[2]));
  expect(types.size).toBeGreaterThan(7);
});
