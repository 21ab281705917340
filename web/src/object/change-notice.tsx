import { useEffect, useState } from 'preact/hooks';
import { followObject, type Operation } from '../api/changes.js';
import { namePath, type ObjectName } from '../paths.js';
import './change-notice.css';

/** Reports that the object changed while its page is open. The page does not change: its reader decides. */
export function ChangeNotice({ name }: { readonly name: ObjectName }) {
  const [operation, setOperation] = useState<Operation>();
  useEffect(() => {
    setOperation(undefined);
    return followObject(name, setOperation);
  }, [namePath(name)]);
  return (
    <div role="status">
      {operation && (
        <p class="change-notice">
          This object was {operation} after this page was opened.{' '}
          <a href={`${location.pathname}${location.search}`}>Reload the page</a>
        </p>
      )}
    </div>
  );
}
