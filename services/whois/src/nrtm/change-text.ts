import { type Nrtm3Version, writeNrtm3Change } from '@cadastre/nrtm';
import type { ChangeEntry } from '@cadastre/proto/objects';
import { Operation } from '@cadastre/proto/registry';
import { nonAuthoritativeName } from '@cadastre/rpsl';
import { foreignTo } from '../source-part.js';

/** Writes a change for a follower of a source; '' when the source has no such change, or its object is not given away. */
export type WriteChange = (entry: ChangeEntry) => string;

/** Makes the writer of one answer. */
export function changeWriter(source: string, main: string, version: Nrtm3Version): WriteChange {
  const isForeign = foreignTo(main);
  const wantsForeign = source === nonAuthoritativeName(main);
  return ({ serial, operation, object }) => {
    const text = object?.text || withdrawn(source, operation, object);
    if (text === '' || isForeign(text) !== wantsForeign) return '';
    const isGone = operation === Operation.OPERATION_DELETE || object?.text === '';
    return writeNrtm3Change({ action: isGone ? 'DEL' : 'ADD', serial: Number(serial), object: text }, version);
  };
}

/**
 * What to delete when an object is not given away any more: a role that was published may have lost what made it public.
 * Followers do not mind the deletion of what they never had.
 */
function withdrawn(source: string, operation: Operation, object: ChangeEntry['object']): string {
  if (object?.type !== 'role' || operation === Operation.OPERATION_DELETE) return '';
  return `role:           Not published\nnic-hdl:        ${object.key.toUpperCase()}\nsource:         ${source}\n`;
}
