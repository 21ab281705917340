import { type Message, Severity } from '@cadastre/proto/registry';
import { failureMessage } from '@cadastre/service';
import type { Conflict } from './validity.js';

const beginning = 'Warning: this %s object conflicts with an RPKI ROA with a prefix %s and ';

/** The warning about a conflict; its arguments are the type in capitals, the ROA's prefix, maximum length and AS number. */
export function conflictMessage(type: 'route' | 'route6', { roa, ...conflict }: Conflict): Message {
  const isBoth = conflict.isTooLong && conflict.isOtherOrigin;
  const text = `${beginning}${difference(conflict)}\n${advice(isBoth ? 'an announcement' : 'a BGP announcement')}\n`;
  const args = [type.toUpperCase(), roa.text, String(roa.maxLength), String(roa.asn)];
  return failureMessage(text, args, Severity.SEVERITY_WARNING);
}

function difference({ isTooLong, isOtherOrigin }: Omit<Conflict, 'roa'>): string {
  if (!isTooLong) return 'a maximum length /%s but a different origin AS%s.';
  const origin = isOtherOrigin ? 'and a different' : 'but same';
  return `a less specific maximum length /%s ${origin} origin AS%s.`;
}

/** Clients know both texts, so neither may change. */
function advice(announcement: string): string {
  return (
    `As a result, many autonomous systems may reject ${announcement} even if it matches the ROUTE object. ` +
    'You should consider either removing this ROUTE object or updating/deleting the RPKI ROA.'
  );
}
