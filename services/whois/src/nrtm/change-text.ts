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
  return ({ serial, operation, object: { text } = { text: '' } }) => {
    if (text === '' || isForeign(text) !== wantsForeign) return '';
    const action = operation === Operation.OPERATION_DELETE ? 'DEL' : 'ADD';
    return writeNrtm3Change({ action, serial: Number(serial), object: text }, version);
  };
}
