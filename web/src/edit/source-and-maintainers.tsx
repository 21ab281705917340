import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useOwnMaintainers } from '../account/own-maintainers.js';
import { listSources } from '../api/metadata.js';
import { Load, Show } from '../design/load.js';
import type { ObjectName } from '../paths.js';

/** Waits for the name of the main source, to which objects are written. */
export function InSource({ children }: { readonly children: (source: string) => ComponentChildren }) {
  return (
    <Load load={listSources} what="the sources">
      {(sources) => children(sources.find(({ kind }) => kind === 'main')?.name ?? '')}
    </Load>
  );
}

/**
 * Waits for the maintainers of the account; editing also works without them. Once they are known, the page remains when
 * they are loaded again because the session has ended or begun.
 */
export function WithMaintainers({
  children,
}: {
  readonly children: (own: readonly ObjectName[]) => ComponentChildren;
}) {
  const maintainers = useOwnMaintainers();
  const known = useRef<readonly ObjectName[]>(undefined);
  if (maintainers.state === 'loaded') known.current = maintainers.value;
  if (maintainers.state === 'failed') known.current ??= [];
  if (known.current === undefined) return <Show of={maintainers} what="your maintainers" children={() => null} />;
  return children(known.current);
}
