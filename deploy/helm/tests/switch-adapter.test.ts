import { expect, test } from 'vitest';
import { named, policiesFor, services } from './manifest.js';
import { render } from './render.js';

test.each(['embedded', 'opensearch'])(
  'pods with another store than %s serve until a pod with it is ready, however long that takes',
  async (adapter) => {
    const set = { 'search.adapter': adapter, 'search.opensearch.secretName': 'opensearch' };
    const manifests = await render({ release: 'registry', values: 'production', set });
    const { spec } = named(manifests, 'Deployment', 'registry-cadastre-search');
    expect(spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(spec.progressDeadlineSeconds).toBeGreaterThan(12 * 3600);
    const search = services(manifests).find(({ component }) => component === 'search')!;
    const egress = policiesFor(manifests, search).flatMap(({ egress: rules = [] }) => rules);
    const ports = egress.flatMap((rule) => rule.ports?.map(({ port }) => port) ?? []);
    expect(ports).toContain(9200);
  },
);
