import { type Parts, type Stored, storedOf } from '@cadastre/rdap';
import { asciiLowerCase, firstValueOf, type ObjectTypeName } from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service';
import type { readCall } from '../backends/call-options.js';
import type { PageName } from '../backends/page-lookups.js';
import type { Context } from '../context.js';

/** The client, and how to call the search service. */
interface Asking {
  readonly client: string;
  readonly call: ReturnType<typeof readCall>;
  readonly signal: AbortSignal;
}

/** Maximum number of networks, and of AS numbers, in the document of an organisation. */
const maxShown = 100;

/**
 * The resources of an organisation: its outermost networks, IPv6 first, and its AS numbers. While the search service is
 * unavailable, none of them, as if they were cut off.
 */
export async function holdingsOf(
  { search, lookUpPage }: Pick<Context, 'search' | 'lookUpPage'>,
  { client, call, signal }: Asking,
  organisation: Stored,
): Promise<Pick<Parts, 'networks' | 'autnums' | 'cut'>> {
  const requested = { source: '', organisation: organisation.key, limit: maxShown + 1, client };
  const held = await search.listHoldings(requested, { ...call, signal }).catch((error: unknown) => {
    // The previous release does not have the method.
    if (error instanceof ServiceError && ['unavailable', 'unimplemented'].includes(error.kind)) return undefined;
    throw error;
  });
  if (held === undefined) return { cut: true };
  const networks = [...named('inet6num', held.inet6nums), ...named('inetnum', held.inetnums)];
  const autnums = named('aut-num', held.autNums);
  const names = [...networks.slice(0, maxShown), ...autnums.slice(0, maxShown)];
  if (names.length === 0) return { cut: false };
  const { objects, isWhole } = await lookUpPage(names, signal);
  // The index may be older than the objects.
  const shown = objects.flatMap((one) => storedOf(one) ?? []).filter((one) => isHeldBy(one, organisation));
  const isAutnum = ({ object }: Stored) => object.type === 'aut-num';
  return {
    networks: shown.filter((one) => !isAutnum(one)),
    autnums: shown.filter(isAutnum),
    cut: !isWhole || networks.length > maxShown || autnums.length > maxShown,
  };
}

function named(type: ObjectTypeName, keys: readonly string[]): PageName[] {
  return keys.map((key) => ({ type, key }));
}

function isHeldBy({ object }: Stored, organisation: Stored): boolean {
  return asciiLowerCase(firstValueOf(object, 'org') ?? '') === asciiLowerCase(organisation.key);
}
