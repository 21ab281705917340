import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { BatchResult } from '../api/batch.js';
import { useTitle } from '../design/title.js';
import { InSource, WithMaintainers } from '../edit/surroundings.js';
import type { ObjectName } from '../paths.js';
import { SavedObjects } from './saved-objects.js';

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
