import { findTerms, listSources, type Source } from '../api/metadata.js';
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
            <Table class="stacks" columns={['Source', ...labels]}>
              {sources.map((source) => (
                <tr key={source.name}>
                  <th scope="row">{source.name}</th>
                  {cellsOf(source).map((text, at) => (
                    <td key={labels[at]} data-label={text && labels[at]}>
                      {text}
                    </td>
                  ))}
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

const labels = ['State', 'Checked', 'Changed', 'Origin'] as const;

function cellsOf({ mirror: { state, checked = '', changed = '', kind, origin } }: Source) {
  return [state, dateText(checked), dateText(changed), [kind, origin].filter(Boolean).join(' ')];
}
