import { findTerms, listSources } from '../api/metadata.js';
import { dateText } from '../design/format.js';
import { Load } from '../design/load.js';
import { Table } from '../design/table.js';
import { useTitle } from '../design/title.js';

/** The sources, and the age of copies of other registries. */
export function SourcesPage() {
  useTitle('Sources');
  return (
    <div class="stack">
      <h1>Sources</h1>
      <Load load={listSources} what="the sources">
        {(sources) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it where it is wider than the screen.
          <section class="card scrolls" tabIndex={0} aria-label="Sources">
            <Table columns={['Source', 'State', 'Checked', 'Changed', 'Origin']}>
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
            </Table>
          </section>
        )}
      </Load>
      <Load load={findTerms} what="the terms">
        {(href) =>
          href !== undefined && (
            <p>
              <a href={href}>Terms and conditions of this registry</a>
            </p>
          )
        }
      </Load>
    </div>
  );
}
