import { asciiLowerCase, firstValueOf, type ObjectTypeName } from '@cadastre/rpsl';
import type { EntityParts } from './entity.js';
import type { ObjectSource, TypeAndKey } from './object-source.js';
import { type Stored, storedOf } from './registry.js';

/** Maximum number of networks, and of AS numbers, in the document of an organisation. */
const maxShown = 100;

/**
 * The resources of an organisation: its outermost networks, IPv6 first, and its AS numbers. While they cannot be known,
 * none of them, as if they were cut off.
 */
export async function loadHoldings(
  source: ObjectSource,
  organisation: Stored,
): Promise<Pick<EntityParts, 'networks' | 'autnums' | 'cut'>> {
  const held = await source.holdingsOf(organisation, maxShown + 1);
  if (held === undefined) return { cut: true };
  const networks = [...named('inet6num', held.inet6nums), ...named('inetnum', held.inetnums)];
  const autnums = named('aut-num', held.autNums);
  const names = [...networks.slice(0, maxShown), ...autnums.slice(0, maxShown)];
  if (names.length === 0) return { cut: false };
  const { objects, isWhole } = await source.findPage(names);
  // The index may be older than the objects.
  const shown = objects.flatMap((one) => storedOf(one) ?? []).filter((one) => isHeldBy(one, organisation));
  const isAutnum = ({ object }: Stored) => object.type === 'aut-num';
  return {
    networks: shown.filter((one) => !isAutnum(one)),
    autnums: shown.filter(isAutnum),
    cut: !isWhole || networks.length > maxShown || autnums.length > maxShown,
  };
}

function named(type: ObjectTypeName, keys: readonly string[]): TypeAndKey[] {
  return keys.map((key) => ({ type, key }));
}

function isHeldBy({ object }: Stored, organisation: Stored): boolean {
  return asciiLowerCase(firstValueOf(object, 'org') ?? '') === asciiLowerCase(organisation.key);
}
