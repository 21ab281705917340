import { findTerms, listSources } from '../api/metadata.js';
import { dateText } from '../design/format.js';
import { Show, useLoad } from '../design/load.js';
import { TableHead } from '../design/table-head.js';
import { useTitle } from '../design/title.js';

/** The sources, and the age of copies of other registries. */
export function SourcesPage() {
  useTitle('Sources');
  const loaded = useLoad('', listSources);
  const terms = useLoad('', findTerms);
  return (
    <div class="stack">
      <h1>Sources</h1>
      <Show of={loaded} what="the sources">
        {(sources) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it where it is wider than the screen.
          <section class="card scrolls" tabIndex={0} aria-label="Sources">
            <table>
              <TableHead columns={['Source', 'State', 'Checked', 'Changed', 'Origin']} />
              <tbody>
                {sources.map(({ name, mirror: { state, checked = '', changed = '', kind, origin } }) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td>{state}</td>
                    <td>{dateText(checked)}</td>
                    <td>{dateText(changed)}</td>
                    <td>
                      {kind} {origin}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </Show>
      <Show of={terms} what="the terms">
        {(href) =>
          href !== undefined && (
            <p>
              <a href={href}>Terms and conditions of this registry</a>
            </p>
          )
        }
      </Show>
    </div>
  );
}
