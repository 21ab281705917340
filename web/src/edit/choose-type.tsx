import { objectTypes } from '@cadastre/rpsl';
import { useTitle } from '../design/title.js';
import { paths } from '../paths.js';
import { Link } from '../router.js';

/** The types of objects to create. */
export function ChooseType() {
  useTitle('Create');
  return (
    <div class="stack">
      <h1>Create an object</h1>
      <div class="card stack">
        <p>
          New here? Start with <Link to={paths.create('first')}>a maintainer and its contact</Link>: everything else is
          maintained by one.
        </p>
        <p>
          For many objects at once, <Link to={paths.create('several')}>paste them as text</Link>.
        </p>
        <p>
          To change many that exist, <Link to={paths.editMany}>make one change in all</Link>.
        </p>
      </div>
      <ul class="list type-list">
        {[...objectTypes.filter(isUseful), ...objectTypes.filter((type) => !isUseful(type))].map(
          ({ name, meaning }) => (
            <li key={name} class="card">
              <h2>
                <Link to={paths.create(name)}>{name}</Link>
              </h2>
              <p class="flush small soft">
                {meaning}
                {name === 'domain' && (
                  <>
                    {' '}
                    <Link to={paths.reverseZones()}>All zones of a prefix</Link>
                  </>
                )}
              </p>
            </li>
          ),
        )}
      </ul>
    </div>
  );
}

/** Poems are the others. */
function isUseful({ name }: { readonly name: string }): boolean {
  return !name.startsWith('poe');
}
