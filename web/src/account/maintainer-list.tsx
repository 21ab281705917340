import { useState } from 'preact/hooks';
import { Show } from '../design/load.js';
import { ObjectLink } from '../design/object-link.js';
import { readChoice } from '../object/object-rows.js';
import { Referrers } from '../object/referrers.js';
import type { ObjectName } from '../paths.js';
import { NoMaintainer, useOwnMaintainers } from './own-maintainers.js';
import { Stored } from './stored.js';

/** The objects of a maintainer; fetched when the user opens the list. */
function Maintained({ name }: { readonly name: ObjectName }) {
  const [isOpen, setOpen] = useState(false);
  const [choice, choose] = useState(() => readChoice(new URLSearchParams()));
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Maintained objects</summary>
      {isOpen && <Referrers name={name} by={['mnt-by']} choice={choice} choose={choose} heading="h4" />}
    </details>
  );
}

/** The maintainers that the account acts for, each with its objects. */
export function MaintainerList() {
  const maintainers = useOwnMaintainers();
  return (
    <section class="stack" aria-labelledby="maintainers">
      <h2 id="maintainers">My maintainers</h2>
      <Show of={maintainers} what="your maintainers">
        {(own) =>
          own.length === 0 ? (
            <NoMaintainer />
          ) : (
            own.map((name) => (
              <div key={name.key} class="card maintainer">
                <h3>
                  <ObjectLink name={name} />
                </h3>
                {name.storage && <Stored label="Stored with history" storage={name.storage} />}
                <Maintained name={name} />
              </div>
            ))
          )
        }
      </Show>
    </section>
  );
}
