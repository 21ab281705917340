import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { BatchResult } from '../api/batch.js';
import { focusPage } from '../design/focus.js';
import { amount } from '../design/format.js';
import { ObjectLink } from '../design/object-link.js';
import { useTitle } from '../design/title.js';
import { InSource, WithMaintainers } from '../edit/source-and-maintainers.js';
import { namePath, type ObjectName } from '../paths.js';
import { editTogether } from './selection.js';

/** The dependencies of a page that writes objects together. */
export interface Writing {
  readonly source: string;
  /** The mntners of the user. */
  readonly maintainers: readonly ObjectName[];
  /** Call it with the results of a write. */
  readonly saved: (results: readonly BatchResult[]) => void;
}

interface UntilSavedProps {
  readonly title: string;
  readonly children: (writing: Writing) => ComponentChildren;
}

/** A page that writes objects together; after the write it shows what was saved. */
export function UntilSaved({ title, children }: UntilSavedProps) {
  useTitle(title);
  const [results, saved] = useState<readonly BatchResult[]>();
  if (results) return <SavedObjects results={results} again={() => saved(undefined)} />;
  return (
    <InSource>
      {(source) => <WithMaintainers>{(maintainers) => children({ source, maintainers, saved })}</WithMaintainers>}
    </InSource>
  );
}

const words: { readonly [outcome in BatchResult['outcome']]?: string } = {
  modified: 'changed',
  unchanged: 'as it was',
};

interface SavedObjectsProps {
  readonly results: readonly BatchResult[];
  readonly again: () => void;
}

/** The objects that were written together. */
function SavedObjects({ results, again }: SavedObjectsProps) {
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
