import { formatMessage } from '@cadastre/service';
import { isTextual } from '../exchange.js';
import type { Target } from '../locator.js';
import { renderAbuseFailure } from './abuse-resources.js';
import { render } from './render.js';
import type { Resource } from './resource.js';
import type { Format } from './writer.js';

/**
 * The body of an error, in the shape of what was asked: abuse contacts have a document of their own, and what
 * geolocation cannot answer it says in plain text (decision R12).
 */
export function renderError(
  kind: Target['kind'],
  format: Format,
  resource: Resource,
): { format: Format; body: string } {
  const said = (resource.messages ?? []).map(formatMessage).join('\n');
  if (kind === 'geolocation' || isTextual(kind)) return { format: 'text', body: said };
  if (kind === 'abuse-contact') return { format, body: renderAbuseFailure(format, said) };
  return { format, body: render(format, resource) };
}
