import type { ObjectReaderServiceService } from '@cadastre/proto/objects';
import { nonAuthoritativeName } from '@cadastre/rpsl';
import type { AddressList, RpcClient } from '@cadastre/service';
import type { Refusal, RefusalReason } from './streams.js';

/** The serials of the available changes. */
export interface SerialRange {
  readonly oldest: number;
  readonly newest: number;
}

/**
 * The changes that clients may follow: those of the main source and of its non-authoritative part, which share serials.
 * Copies of other registries are not passed on.
 */
export type Journals = ReturnType<typeof createJournals>;

interface JournalsOptions {
  /** Name of the main source. */
  readonly main: string;
  readonly reader: Pick<RpcClient<typeof ObjectReaderServiceService>, 'listSources'>;
  /** The clients that may follow sources. */
  readonly followers: AddressList;
}

export function createJournals({ main, reader, followers }: JournalsOptions) {
  const names = [main, nonAuthoritativeName(main)];
  return {
    /** Whether a client may follow sources at all. */
    isOpenTo: (address: string): boolean => followers.includes(address),
    /** Whether a source can be followed. */
    has: (name: string): boolean => names.includes(name),
    /** The available changes; undefined when there are none. Errors: ServiceError. */
    async range(signal: AbortSignal): Promise<SerialRange | undefined> {
      const { sources } = await reader.listSources({}, { signal });
      const { serial = 0n, oldestSerial } = sources.find(({ name }) => name === main) ?? {};
      return oldestSerial === undefined ? undefined : { oldest: Number(oldestSerial), newest: Number(serial) };
    },
  };
}

/** The range that a client requests. */
interface Wanted {
  readonly first: number;
  readonly last?: number;
  /** Whether it waits for future changes. */
  readonly keepsOpen: boolean;
}

/** The range to send, or why there is none: its ends must exist. A client that waits may begin with the next change. */
export function rangeToSend(
  { first, last, keepsOpen }: Wanted,
  available: SerialRange | undefined,
): { readonly first: number; readonly last: number } | Refusal {
  if (available === undefined) return { code: 401, text: 'invalid range: There are no changes', reason: 'empty' };
  const { oldest, newest } = available;
  const waits = keepsOpen && last === undefined;
  const end = waits ? Math.max(first, newest) : (last ?? newest);
  if (first >= oldest && first <= end && end <= (waits ? newest + 1 : newest)) return { first, last: end };
  return { code: 401, text: `invalid range: Not within ${oldest}-${newest}`, reason: reasonOf(first, available) };
}

function reasonOf(first: number, { oldest, newest }: SerialRange): RefusalReason {
  if (first < oldest) return 'forgotten';
  if (first <= newest) return 'range';
  return first === newest + 1 ? 'current' : 'ahead';
}
