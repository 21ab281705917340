import { findRdap } from '../api/rdap.js';
import { CopyButton } from '../design/copy-button.js';
import { Show, useLoad } from '../design/load.js';

/** An object as RDAP gives it. */
export function RdapView({ path }: { readonly path: string }) {
  const loaded = useLoad(path, (signal) => findRdap(path, signal));
  return (
    <section class="card stack" aria-labelledby="rdap">
      <h2 id="rdap">The object in RDAP</h2>
      <Show of={loaded} what="the document">
        {(text) => (
          <>
            <p class="row">
              <a href={path}>{path}</a>
              <CopyButton label="Copy" text={() => text} />
            </p>
            <pre class="mono">{text}</pre>
          </>
        )}
      </Show>
    </section>
  );
}
