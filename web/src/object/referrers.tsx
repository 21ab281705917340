import { useState } from 'preact/hooks';
import { search } from '../api/search.js';
import { Show, useLoad } from '../design/load.js';
import type { Moment } from '../past/past.js';
import { type ObjectName, paths } from '../paths.js';
import { Link } from '../router.js';
import './referrers.css';
import { referringAttributes } from './referring-attributes.js';

const pageSize = 100;

/** The objects that refer to an object, by type. */
export function Referrers({
  name,
  by: inverse = referringAttributes(name.type),
  moment,
}: {
  readonly name: ObjectName;
  readonly moment?: Moment | undefined;
  /** Only these attributes; default: all. */
  readonly by?: readonly string[];
}) {
  if (inverse.length === 0) return <p class="card">Nothing can refer to an object of type {name.type}.</p>;
  return <ReferrersBy name={name} inverse={inverse} moment={moment} />;
}

interface ReferrersByProps {
  readonly name: ObjectName;
  readonly inverse: readonly string[];
  readonly moment: Moment | undefined;
}

function ReferrersBy({ name, inverse, moment }: ReferrersByProps) {
  const [limit, setLimit] = useState(pageSize);
  const asOf = moment?.['as-of'] ?? '';
  const query = { text: name.key, sources: [name.source], inverse, flags: ['no-referenced'], limit, asOf };
  const loaded = useLoad(`${name.key} ${limit} ${asOf}`, (signal) => search(query, signal));
  return (
    <Show of={loaded} what="what refers to this object">
      {({ objects }) =>
        objects.length === 0 ? (
          <p class="card">Nothing refers to this object.</p>
        ) : (
          <div class="card stack">
            {byType(objects.map((object) => object.name)).map(([type, names]) => (
              <section key={type} class="referrers">
                <h2>
                  {type} <span class="soft">{names.length}</span>
                </h2>
                <ul class="list row">
                  {names.map((one) => (
                    <li key={one.key}>
                      <Link to={paths.object(one, '', moment)} class="mono">
                        {one.key}
                      </Link>
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            {objects.length >= limit && (
              <p>
                <button type="button" onClick={() => setLimit(limit + 5 * pageSize)}>
                  Show more
                </button>
              </p>
            )}
          </div>
        )
      }
    </Show>
  );
}

function byType(names: readonly ObjectName[]): [string, ObjectName[]][] {
  const groups = new Map<string, ObjectName[]>();
  for (const name of names) groups.set(name.type, [...(groups.get(name.type) ?? []), name]);
  return [...groups];
}
