import { Show, useLoad } from '../design/load.js';

/** The page of bulk lookups, whose code is loaded when somebody opens it. */
export function BulkLookup() {
  const loaded = useLoad('', () => import('./bulk-page.js'));
  return (
    <Show of={loaded} what="the page">
      {({ BulkPage }) => <BulkPage />}
    </Show>
  );
}
