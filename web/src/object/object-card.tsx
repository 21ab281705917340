import type { ShownObject } from '../api/objects.js';
import { paths } from '../paths.js';
import { Link } from '../router.js';
import { CopyObject } from './copy-object.js';
import { ObjectView } from './object-view.js';

/** One object of a result. */
export function ObjectCard({ object }: { readonly object: ShownObject }) {
  const { name } = object;
  return (
    <article class="card stack">
      <header class="row spread">
        <h2 class="row object-title">
          <span class="chip">{name.type}</span>
          <Link to={paths.object(name)} class="mono">
            {name.key}
          </Link>
        </h2>
        <CopyObject name={name} />
      </header>
      <ObjectView object={object} />
    </article>
  );
}
