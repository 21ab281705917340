import type { ShownObject } from '../api/objects.js';
import type { Moment } from '../past/past.js';
import { paths } from '../paths.js';
import { Link } from '../router.js';
import { CopyObject } from './copy-object.js';
import { ObjectView } from './object-view.js';

/** One object of a result. */
export function ObjectCard({ object, moment }: { readonly object: ShownObject; readonly moment: Moment | undefined }) {
  const { name } = object;
  return (
    <article class="card stack">
      <header class="row spread">
        <h2 class="row object-title">
          <span class="chip">{name.type}</span>
          <Link to={paths.object(name, '', moment)} class="mono">
            {name.key}
          </Link>
        </h2>
        <CopyObject name={name} past={moment} />
      </header>
      <ObjectView object={object} moment={moment} />
    </article>
  );
}
