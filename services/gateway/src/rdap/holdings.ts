import type { Parts, Stored } from '@cadastre/rdap';
import { asciiLowerCase, firstValueOf, type ObjectTypeName } from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service';
import type { readCall } from '../backends/call-options.js';
import type { Context } from '../context.js';

/** Who asks, and how to call the search service. */
interface Asking {
  readonly client: string;
  readonly call: ReturnType<typeof readCall>;
  readonly signal: AbortSignal;
}

/** Maximum number of networks, and of AS numbers, in the document of an organisation. */
const mostShown = 100;

/**
 * What an organisation holds: its outermost networks, IPv6 first, and its AS numbers. While the search service is
 * unavailable, none of them, as if they were cut off.
 */
export async function holdingsOf(
  { search, keptObjects }: Pick<Context, 'search' | 'keptObjects'>,
  { client, call, signal }: Asking,
  organisation: Stored,
): Promise<Pick<Parts, 'networks' | 'autnums' | 'cut'>> {
  const asked = { source: '', organisation: organisation.key, limit: mostShown + 1, client };
  const held = await search.listHoldings(asked, { ...call, signal }).catch((error: unknown) => {
    // The release before does not know the method.
    if (error instanceof ServiceError && ['unavailable', 'unimplemented'].includes(error.kind)) return undefined;
    throw error;
  });
  if (held === undefined) return { cut: true };
  const networks = [...named('inet6num', held.inet6nums), ...named('inetnum', held.inetnums)];
  const autnums = named('aut-num', held.autNums);
  const load = async (names: readonly Name[]) => {
    const found = await Promise.all(names.slice(0, mostShown).map(({ type, key }) => keptObjects.find(type, key)));
    // The index may be older than the objects.
    return found.filter((one) => one !== undefined && isHeldBy(one, organisation)) as Stored[];
  };
  const [shownNetworks, shownAutnums] = await Promise.all([load(networks), load(autnums)]);
  const cut = networks.length > mostShown || autnums.length > mostShown;
  return { networks: shownNetworks, autnums: shownAutnums, cut };
}

interface Name {
  readonly type: ObjectTypeName;
  readonly key: string;
}

function named(type: ObjectTypeName, keys: readonly string[]): Name[] {
  return keys.map((key) => ({ type, key }));
}

function isHeldBy({ object }: Stored, organisation: Stored): boolean {
  return asciiLowerCase(firstValueOf(object, 'org') ?? '') === asciiLowerCase(organisation.key);
}
