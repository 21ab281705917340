import { cleanValue, type RpslObject, valuesOf } from '@cadastre/rpsl';
import type { Principal } from './principal.js';

/**
 * Whether the caller proves to be this mntner or irt: one of its `auth: SSO` lines names the caller's account, and the
 * credential is not limited to other maintainers. Nobody (undefined) never does.
 */
export function authenticates(object: RpslObject, principal: Principal | undefined): boolean {
  if (principal === undefined || principal.accountName === '') {
    return false;
  }
  const account = principal.accountName.toLowerCase();
  return mayActAs(object, principal) && accountNames(object).some((name) => name.toLowerCase() === account);
}

/** The account names in the `auth: SSO` lines of an object, as they are written. */
function accountNames(object: RpslObject): string[] {
  return valuesOf(object, 'auth').flatMap((value) => accountName(value) ?? []);
}

/** The account that an `auth` value names; undefined for other kinds. */
export function accountName(auth: string): string | undefined {
  return /^sso (.+)$/i.exec(auth)?.[1];
}

function mayActAs(object: RpslObject, { maintainers }: Principal): boolean {
  const name = cleanValue(object.attributes[0]!).toLowerCase();
  return maintainers.length === 0 || maintainers.some((one) => one.toLowerCase() === name);
}
