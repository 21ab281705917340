import type { ShownObject } from '../api/objects.js';
import { ObjectLink } from '../design/object-link.js';
import type { Moment } from '../past/past.js';
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
          <ObjectLink name={name} past={moment} />
        </h2>
        <CopyObject name={name} past={moment} />
      </header>
      <ObjectView object={object} moment={moment} />
    </article>
  );
}
