import { describe, expect, test } from 'vitest';
import type { Manifest } from './manifest.js';
import { cases, render } from './render.js';
import { problemsOf } from './schemas.js';

test.each(cases)('Kubernetes accepts every manifest of ci/%s-values.yaml', async (values) => {
  const manifests = await render({ values });
  const problems = await Promise.all(manifests.map(problemsOf));
  expect(manifests.length).toBeGreaterThan(30);
  expect(problems.flat()).toEqual([]);
});

describe('the check itself finds', () => {
  const container = { name: 'one', image: 'one' };
  const deployment = (spec: object): Manifest => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'wrong' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } },
      ...spec,
    },
  });

  test.each<[string, Manifest, string]>([
    ['a text for a number', deployment({ replicas: 'two' }), '/spec/replicas: must be integer'],
    ['a missing field', deployment({ selector: undefined }), 'must have required property selector'],
    ['an unknown field', deployment({ replica: 2 }), '.spec.replica: unknown field'],
    [
      'a removed API',
      { ...deployment({}), apiVersion: 'extensions/v1beta1' },
      'no V1beta1Deployment: was the API removed?',
    ],
    [
      'a wrong custom resource',
      { apiVersion: 'cert-manager.io/v1', kind: 'Certificate', metadata: { name: 'wrong' }, spec: {} },
      'must have required property secretName',
    ],
  ])('%s', async (_, manifest, problem) => {
    expect((await problemsOf(manifest)).join('\n')).toContain(problem);
  });
});
