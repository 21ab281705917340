import { useEffect, useState } from 'preact/hooks';
import { followObject, type Happened } from '../api/changes.js';
import { namePath, type ObjectName } from '../paths.js';

/** Reports that the object changed while its page is open. The page does not change: its reader decides. */
export function ChangeNotice({ name }: { readonly name: ObjectName }) {
  const [happened, setHappened] = useState<Happened>();
  useEffect(() => {
    setHappened(undefined);
    return followObject(name, (what) => setHappened((known) => (what === 'unknown' ? (known ?? what) : what)));
  }, [namePath(name)]);
  return (
    <div role="status">
      {happened && (
        <p class="note">
          This object {happened === 'unknown' ? 'may have changed' : `was ${happened}`} after this page was opened.{' '}
          <a href={`${location.pathname}${location.search}`}>Reload the page</a>
        </p>
      )}
    </div>
  );
}
