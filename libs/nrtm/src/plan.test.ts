import { expect, test } from 'vitest';
import { knownFiles, planUpdate } from './plan.js';
import { file, notification, sessionId } from './signed.fixture.js';

const four = notification(3, [2, 3, 4]);
const nine = notification(7, [8, 9]);
const at = (version: number, known = {}) => ({ sessionId, version, known });

function shownPlan(...given: Parameters<typeof planUpdate>): string {
  const plan = planUpdate(...given);
  if (plan.do === 'nothing' || plan.do === 'refuse') return plan.do;
  const versions = plan.deltas.map(({ version }) => version).join();
  return plan.do === 'deltas' ? `deltas ${versions}` : `${plan.because}: snapshot ${plan.snapshot.version} ${versions}`;
}

test.each([
  ['a follower that has nothing loads the snapshot and what is after it', four, undefined, 'first: snapshot 3 4'],
  ['one at version 1 applies all deltas', four, at(1), 'deltas 2,3,4'],
  ['one at version 3 applies the last delta', four, at(3), 'deltas 4'],
  ['one at version 4 does nothing', four, at(4), 'nothing'],
  ['one at version 5 refuses', four, at(5), 'refuse'],
  ['one whose next delta is gone loads the snapshot', nine, at(4), 'gap: snapshot 7 8,9'],
  ['one before the first delta of the snapshot goes on', nine, at(7), 'deltas 8,9'],
  ['without deltas, only the snapshot helps', notification(7, []), at(4), 'gap: snapshot 7 '],
  [
    'another session begins again, whatever its version',
    four,
    { ...at(9), sessionId: 'another' },
    'session: snapshot 3 4',
  ],
])('%s', (_, given, followed, expected) => {
  expect(shownPlan(given, followed)).toBe(expected);
});

test('a version that gets another hash is refused', () => {
  expect(shownPlan(four, at(3, knownFiles(four)))).toBe('deltas 4');
  const rewritten = { ...four, deltas: [file(2), file(3, 'b'), file(4)] };
  const plan = planUpdate(rewritten, at(3, knownFiles(four)));
  expect(plan).toEqual({
    do: 'refuse',
    faults: ['The publisher rewrites history: delta 3 has another hash than before'],
  });
  expect(shownPlan({ ...four, snapshot: file(3, 'b') }, at(4, knownFiles(four)))).toBe('refuse');
});

test('the same version of another kind of file, or of a new session, may have another hash', () => {
  const known = knownFiles(notification(3, [], { snapshot: file(3, 'b') }));
  expect(shownPlan(notification(2, [3, 4]), at(3, known))).toBe('deltas 4');
  expect(shownPlan(four, { sessionId: 'another', version: 3, known })).toBe('session: snapshot 3 4');
});
