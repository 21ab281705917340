import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { BatchResult } from '../api/batch.js';
import { Button } from '../design/button.js';
import { focusPage } from '../design/focus.js';
import { amount } from '../design/format.js';
import { ObjectLink } from '../design/object-link.js';
import { useTitle } from '../design/title.js';
import { InMainSource } from '../edit/source-and-maintainers.js';
import { namePath } from '../paths.js';
import { editTogether } from './selection.js';

/** What gets the results of a write. */
export interface WhenSaved {
  readonly saved: (results: readonly BatchResult[]) => void;
}

interface UntilSavedProps {
  readonly title: string;
  readonly children: (saved: WhenSaved['saved']) => ComponentChildren;
}

/** A page that writes objects together; after the write it shows what was saved. */
export function UntilSaved({ title, children }: UntilSavedProps) {
  useTitle(title);
  const [results, saved] = useState<readonly BatchResult[]>();
  if (results) return <SavedObjects results={results} again={() => saved(undefined)} />;
  return <InMainSource>{children(saved)}</InMainSource>;
}

const words: { readonly [outcome in BatchResult['outcome']]?: string } = {
  modified: 'changed',
  unchanged: 'as it was',
};

function SavedObjects({ results, again }: { readonly results: readonly BatchResult[]; readonly again: () => void }) {
  useEffect(focusPage, []);
  const left = results.flatMap(({ object, outcome }) => (object && outcome !== 'deleted' ? [object.name] : []));
  const editLeft = () => {
    editTogether(left);
    again();
  };
  return (
    <section class="card stack">
      <h1>{amount(results.length, 'object is saved', 'objects are saved')}</h1>
      <SavedList results={results} />
      <p class="row">
        {left.length > 0 && <Button label="Edit these together" act={editLeft} />}
        <Button label="Edit others" act={again} />
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
