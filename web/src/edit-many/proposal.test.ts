import { expect, test } from 'vitest';
import type { BatchResult } from '../api/batch.js';
import { inOrder, isOutdated, isRefused, type Proposal } from './proposal.js';

const result = (outcome: BatchResult['outcome']): BatchResult => ({ outcome, messages: [] });

test.each<[BatchResult['outcome'], boolean, boolean]>([
  ['created', false, false],
  ['modified', false, false],
  ['deleted', false, false],
  ['unchanged', false, false],
  ['skipped', false, false],
  ['invalid', true, false],
  ['unauthorised', true, false],
  ['referenced', true, false],
  ['stale', true, true],
  ['exists', true, true],
  ['not-found', true, true],
])('%s is refused: %s, outdated: %s', (outcome, refused, outdated) => {
  expect([isRefused(result(outcome)), isOutdated(result(outcome))]).toEqual([refused, outdated]);
});

test('refused proposals come first; the others stay in their order', () => {
  const proposals = ['a', 'b', 'c', 'd'].map(
    (before): Proposal => ({ type: 'person', name: undefined, before, attributes: [], tag: '', isDeletion: false }),
  );
  const places = (...results: BatchResult[]) => inOrder(proposals, results).map(({ proposal }) => proposal.before);
  expect(places()).toEqual(['a', 'b', 'c', 'd']);
  expect(places(result('skipped'), result('invalid'), result('skipped'), result('stale'))).toEqual([
    'b',
    'd',
    'a',
    'c',
  ]);
});
