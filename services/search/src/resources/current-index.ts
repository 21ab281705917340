import type { SearchIndex } from '../index-port.js';

/** Whether answers of the index show the main source at a serial or later. */
export type IsCurrent = (minSerial: bigint) => Promise<boolean>;

/**
 * Whether an index is current. One that does not follow the registry may be that from before a restore, whose serials
 * mean other changes.
 */
export function currentIndex(
  index: Pick<SearchIndex, 'position'>,
  isFollowing: (source: string) => boolean,
  source: string,
): IsCurrent {
  return async (minSerial) => {
    const position = await index.position(source);
    return position !== undefined && position.serial >= minSerial && isFollowing(source);
  };
}
