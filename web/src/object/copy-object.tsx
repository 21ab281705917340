import { lookUpAs } from '../api/objects.js';
import { CopyButton } from '../design/copy-button.js';
import type { Past } from '../past/past.js';
import { type ObjectName, paths } from '../paths.js';

const formats = [
  ['RPSL', 'text/plain'],
  ['JSON', 'application/json'],
  ['XML', 'application/xml'],
] as const;

/** Copies an object in one of the formats of the REST interface. */
export function CopyObject({ name, past }: { readonly name: ObjectName; readonly past: Past | undefined }) {
  return (
    <fieldset class="row copy-object">
      <legend class="visually-hidden">Copy {name.key}</legend>
      <span class="small soft" aria-hidden="true">
        Copy
      </span>
      <CopyButton class="slim quiet" label="Link" text={() => `${location.origin}${paths.object(name, '', past)}`} />
      {formats.map(([label, mediaType]) => (
        <CopyButton key={mediaType} class="slim quiet" label={label} text={() => lookUpAs(name, past, mediaType)} />
      ))}
    </fieldset>
  );
}
