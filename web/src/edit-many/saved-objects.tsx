import { useEffect } from 'preact/hooks';
import type { BatchResult } from '../api/batch.js';
import { focusPage } from '../design/focus.js';
import { amount } from '../design/format.js';
import { ObjectLink } from '../design/object-link.js';
import { namePath } from '../paths.js';
import { editTogether } from './selection.js';

const words: { readonly [outcome in BatchResult['outcome']]?: string } = {
  modified: 'changed',
  unchanged: 'as it was',
};

/** The objects that were written together. */
export function SavedObjects({
  results,
  again,
}: {
  readonly results: readonly BatchResult[];
  readonly again: () => void;
}) {
  useEffect(focusPage, []);
  const left = results.flatMap(({ object, outcome }) => (object && outcome !== 'deleted' ? [object.name] : []));
  return (
    <section class="card stack">
      <h1>{amount(results.length, 'object is saved', 'objects are saved')}</h1>
      <SavedList results={results} />
      <p class="row">
        {left.length > 0 && (
          <button
            type="button"
            onClick={() => {
              editTogether(left);
              again();
            }}
          >
            Edit these together
          </button>
        )}
        <button type="button" onClick={again}>
          Edit others
        </button>
      </p>
    </section>
  );
}

/** The objects of a write, with their outcomes. */
export function SavedList({ results }: { readonly results: readonly BatchResult[] }) {
  return (
    <ul class="list saved-objects">
      {results.map(
        ({ object, outcome }) =>
          object && (
            <li key={namePath(object.name)}>
              <span class="chip plain">{object.name.type}</span>{' '}
              <ObjectLink name={object.name} view={outcome === 'deleted' ? 'history' : ''} />{' '}
              <span class="soft">{words[outcome] ?? outcome}</span>
            </li>
          ),
      )}
    </ul>
  );
}
