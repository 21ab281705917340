import type { Omission } from '@cadastre/client';
import { useState } from 'preact/hooks';
import { explainSet } from '../api/sets.js';
import { Button } from '../design/button.js';
import { numberText } from '../design/format.js';
import { Load } from '../design/load.js';
import type { ObjectName } from '../paths.js';

/** Says, on request, what the prefixes of an as-set or route-set leave out, and why. */
export function SetOmissions({ name }: { readonly name: ObjectName }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <Omissions name={name} />;
  return (
    <div>
      <Button class="slim" label="Why is a prefix missing?" act={() => setOpen(true)} />
    </div>
  );
}

/** More are for programs. */
const shownReasons = 100;

function Omissions({ name }: { readonly name: ObjectName }) {
  return (
    <Load load={(signal) => explainSet(name, signal)} what="what is left out">
      {({ omissions = [], more = 0, partial }) => {
        const others = more + Math.max(0, omissions.length - shownReasons);
        return (
          <div class="stack">
            <h3>Left out</h3>
            {omissions.length === 0 && <p>Nothing is left out.</p>}
            {omissions.length > 0 && (
              <ul>
                {omissions.slice(0, shownReasons).map((omission, at) => (
                  <li key={at}>{omissionText(omission)}</li>
                ))}
              </ul>
            )}
            {others > 0 && <p class="soft small">{numberText(others)} more.</p>}
            {partial && <p class="soft small">There may be others: the set is too large to explain all.</p>}
          </div>
        );
      }}
    </Load>
  );
}

/** A sentence about a set or a route that the prefixes of a set leave out. */
export function omissionText({ reason, set, prefix, origin, sources = [], roa, detail, ...more }: Omission): string {
  const parent = more['member-of'];
  const member = parent === undefined ? set : `${set}, a member of ${parent},`;
  const places = sources.join(' and ');
  switch (reason) {
    case 'unknown-set':
      return `${member} does not exist.`;
    case 'set-of-other-source':
      return `${member} is only in ${places}.`;
    case 'too-large':
      return `${detail ?? `${member} is too large`}.`;
    case 'excluded-set':
      return `${member} is excluded.`;
    case 'other-source':
      return `${prefix} of ${origin} is only in ${places}.`;
    case 'less-preferred':
      return `${prefix} of ${origin} in ${places} overlaps a route of a preferred source.`;
    case 'roa-invalid': {
      const why = roa && `: a ROA for ${roa.prefix}, up to /${roa['max-length']}, names ${roa.origin}`;
      return `ROAs make ${prefix} of ${origin} invalid${why ?? ''}.`;
    }
    default:
      return [reason, set, prefix, origin, places].filter(Boolean).join(' ');
  }
}
