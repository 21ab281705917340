import { findRdap } from '../api/rdap.js';
import { CopyButton } from '../design/copy-button.js';
import { Load } from '../design/load.js';

/** An object as RDAP gives it. */
export function RdapView({ path }: { readonly path: string }) {
  return (
    <section class="card stack" aria-labelledby="rdap">
      <h2 id="rdap">The object in RDAP</h2>
      <Load load={(signal) => findRdap(path, signal)} what="the document">
        {(text) => (
          <>
            <p class="row">
              <a href={path}>{path}</a>
              <CopyButton label="Copy" text={() => text} />
            </p>
            <pre class="mono">{text}</pre>
          </>
        )}
      </Load>
    </section>
  );
}
