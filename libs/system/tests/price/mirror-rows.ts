import { mirrorCall, type Requested, whoisLine } from './asked.js';
import { type Attributes, attributesOf, json, post, repeated } from './documents.js';
import { type Budget, type Outcome, type Row, small } from './row.js';
import type { Sent } from './send.js';

/** A source that follows another registry. */
export const copied = 'COPY-GRS';

/** How often the largest set is written, each time with other members. */
const writes = 5;
const members = 49_000;

/** Writes of the largest object that followers may get; all its states are changes that they get. */
export function largestChanges(sample: string): Sent[] {
  const [name, ...rest] = attributesOf(sample);
  const plain = rest.filter(([attribute]) => !['members', 'notify'].includes(attribute));
  const states = Array.from({ length: writes }, (_, write): Attributes => {
    const list = Array.from({ length: members }, (_, member) => `AS${4_200_000_000 + write + member}`).join(', ');
    return [[name![0], 'AS64500:AS-LARGEST'], ['members', list], ...plain];
  });
  return states.map((state, write) => ({
    ...post(`/TEST/as-set${write === 0 ? '' : '/AS64500%3AAS-LARGEST'}`, 'application/json', json(state)),
    method: write === 0 ? 'POST' : 'PUT',
  }));
}

/** The rows of NRTM version 3, and of the gRPC interface of the mirror service. */
export function mirrorRows(): Row[] {
  return [
    row('-g', 'all changes, among them the largest', 'taken', [whoisLine('-g TEST:3:1-LAST')], journal),
    row('-g', 'the same in version 1', 'taken', [whoisLine('-g TEST:1:1-LAST')], journal),
    row(
      '-g',
      'long names',
      'refused',
      pieces.map((piece) => whoisLine(`-g ${repeated(piece, 1_000)}:3:1-LAST`)),
    ),
    row(
      '-g',
      'long serials',
      'refused',
      pieces.map((piece) => whoisLine(`-g TEST:3:${repeated(piece, 900)}-LAST`)),
    ),
    row('-g', 'a long option', 'refused', [whoisLine(`-V ${repeated('a ', 900)} -g TEST:3:0-0`)]),
    row('-g', 'many spaces', 'refused', [whoisLine(`-g TEST:3:0-0${repeated(' ', 900)}-`)]),
    row('-g', 'many options', 'refused', [whoisLine(`-g TEST:3:0-0${repeated(' -k', 900)}`)]),
    row('ListMirrors', 'as it is', 'taken', [mirrorCall('ListMirrors', (mirror) => mirror.listMirrors({}))]),
    row('ListPublications', 'as it is', 'taken', [
      mirrorCall('ListPublications', (mirror) => mirror.listPublications({})),
    ]),
    row('ResetMirror', 'a copy', 'taken', [
      mirrorCall('ResetMirror', (mirror) => mirror.resetMirror({ source: copied })),
    ]),
    ...[30_000, 4_000_000].map((length) =>
      row('ResetMirror', `a name of ${length} characters`, 'refused', [
        mirrorCall('ResetMirror', (mirror) => mirror.resetMirror({ source: repeated('ß', length) })),
      ]),
    ),
  ];
}

const pieces = ['A', 'A-', '1', '1-', ':', '-k ', ' ', '3:'];

/** For the public copies of 3.5 MB of changes, which objects makes page by page. */
const journal: Budget = { held: 60, spent: 900 };

function row(operation: string, what: string, outcome: Outcome, requested: readonly Requested[], budget = small): Row {
  return { operation, what, outcome, budget, sender: 'anonymous', sends: () => requested };
}
