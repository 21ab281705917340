import { countReferrers } from '../api/search.js';
import { numberText } from '../design/format.js';
import { Show, useLoad } from '../design/load.js';
import { ObjectLink } from '../design/object-link.js';
import { useShowMore } from '../design/show-more.js';
import { namePath, type ObjectName, paths } from '../paths.js';
import { Link } from '../router.js';

/** Maintainers that are shown at first, and that a click adds: each is a search. */
const step = 5;

/** How many objects of each type the maintainers hold. */
export function HeldObjects({ maintainers }: { readonly maintainers: readonly ObjectName[] }) {
  const { visible, list, more } = useShowMore(maintainers, step, 'maintainers');
  return (
    <section class="card stack" aria-labelledby="held">
      <h2 id="held">What my maintainers hold</h2>
      <ul class="list" ref={list}>
        {visible.map((maintainer) => (
          <HeldBy key={namePath(maintainer)} maintainer={maintainer} />
        ))}
      </ul>
      {more}
    </section>
  );
}

function HeldBy({ maintainer }: { readonly maintainer: ObjectName }) {
  const { source, key } = maintainer;
  const counts = useLoad(key, (signal) => countReferrers({ text: key, source, inverse: ['mnt-by'] }, signal));
  return (
    <li class="held">
      <h3 class="flush">
        <ObjectLink name={maintainer} />
      </h3>
      <Show of={counts} what={`what ${key} holds`}>
        {({ types, isPartial }) => (
          <ul class="list row">
            {types.length === 0 && <li class="soft">Nothing</li>}
            {types.map(({ type, objects }) => (
              <li key={type}>
                <Link class="held-type" to={paths.object(maintainer, 'referrers', undefined, { type })}>
                  {type} <strong>{numberText(objects)}</strong>
                </Link>
              </li>
            ))}
            {isPartial && <li class="soft">and more</li>}
          </ul>
        )}
      </Show>
    </li>
  );
}
