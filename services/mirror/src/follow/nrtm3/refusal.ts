import { MirrorFault } from '../origin.js';

/** The refusal of a server. */
export interface Refusal {
  readonly code?: number;
  readonly text: string;
}

/**
 * The meaning of a refusal for a follower that requested changes from a serial on: it is current, or the server has
 * removed changes that it needs (`gap`). Servers have different texts: these are those of RIPE, IRRd and ourselves.
 * Errors: MirrorFault for all other refusals.
 */
export function meaningOf({ code, text }: Refusal, first: number): 'current' | 'gap' {
  const [, available, other] = /not within \D*(\d+) *- *(\d+)/i.exec(text) ?? [];
  if (available !== undefined) return placeIn(Number(available), Number(other), first);
  const [, from] = /serials (\d+) - \d+ do not exist/i.exec(text) ?? [];
  // IRRd names the requested serial and where its changes begin, or where they end and the requested serial.
  if (from !== undefined) return Number(from) === first ? 'gap' : placeIn(0, Number(from), first);
  if (/older than \d+ days|no journal entries|maximum range/i.test(text)) return 'gap';
  const isFinal = code === undefined ? /access denied|unknown source|invalid|no journal kept/i.test(text) : code > 401;
  const message = `The server refuses to send changes: ${code === undefined ? '' : `${code}: `}${text}`;
  throw new MirrorFault(isFinal ? 'refused' : 'transient', message);
}

function placeIn(oldest: number, newest: number, first: number): 'current' | 'gap' {
  if (first < oldest) return 'gap';
  if (first === newest + 1) return 'current';
  throw new MirrorFault(
    'refused',
    `The server has changes up to ${newest}, the copy has all up to ${first - 1}: it was restored, or is another one`,
  );
}
