import { type ComponentChildren, createContext } from 'preact';
import { useContext, useRef } from 'preact/hooks';
import { useOwnMaintainers } from '../account/own-maintainers.js';
import { listSources } from '../api/metadata.js';
import { Load, Show } from '../design/load.js';
import type { ObjectName } from '../paths.js';

/** The source to which a page writes, and the maintainers of its user. */
interface Writing {
  readonly source: string;
  readonly maintainers: readonly ObjectName[];
}

const WritingContext = createContext<Writing>({ source: '', maintainers: [] });

/** Where the page of a component writes, and for whom. */
export function useWriting(): Writing {
  return useContext(WritingContext);
}

/** Waits for the name of the main source, to which new objects are written, and for the maintainers of the account. */
export function InMainSource({ children }: { readonly children: ComponentChildren }) {
  return (
    <Load load={listSources} what="the sources">
      {(sources) => (
        <WithMaintainers source={sources.find(({ kind }) => kind === 'main')?.name ?? ''}>{children}</WithMaintainers>
      )}
    </Load>
  );
}

interface WithMaintainersProps extends Pick<Writing, 'source'> {
  readonly children: ComponentChildren;
}

/**
 * Waits for the maintainers of the account; editing also works without them. Once they are known, the page remains when
 * they are loaded again because the session has ended or begun.
 */
export function WithMaintainers({ source, children }: WithMaintainersProps) {
  const maintainers = useOwnMaintainers();
  const known = useRef<readonly ObjectName[]>(undefined);
  if (maintainers.state === 'loaded') known.current = maintainers.value;
  if (maintainers.state === 'failed') known.current ??= [];
  if (known.current === undefined) return <Show of={maintainers} what="your maintainers" children={() => null} />;
  const writing = { source, maintainers: known.current };
  return <WritingContext.Provider value={writing}>{children}</WritingContext.Provider>;
}
