import { useIsSignedIn } from '../account/session.js';
import { lookUpAs } from '../api/objects.js';
import { CopyButton } from '../design/copy-button.js';
import { Popover } from '../design/popover.js';
import type { Past } from '../past/past.js';
import { type ObjectName, paths } from '../paths.js';
import './copy-object.css';

const formats = [
  ['RPSL', 'text/plain'],
  ['JSON', 'application/json'],
  ['XML', 'application/xml'],
] as const;

/** Copies an object in one of the formats of the REST interface, or its address. */
export function CopyObject({ name, past }: { readonly name: ObjectName; readonly past: Past | undefined }) {
  const unfiltered = useIsSignedIn();
  return (
    <Popover class="copy-object" opener="Copy" label={`Copy ${name.key}`}>
      <CopyButton class="slim quiet" label="Link" text={() => `${location.origin}${paths.object(name, '', past)}`} />
      {formats.map(([label, mediaType]) => (
        <CopyButton
          key={mediaType}
          class="slim quiet"
          label={label}
          text={() => lookUpAs(name, { past, unfiltered }, mediaType)}
        />
      ))}
    </Popover>
  );
}
