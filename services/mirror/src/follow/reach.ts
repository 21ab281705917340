import type { Guard } from '@cadastre/service';
import { MirrorFault } from './origin.js';

/** Restrictions on where files of an origin may come from. */
export interface Reach {
  /** The origin is in the operator's own network: allows http everywhere, and addresses that are not public. */
  readonly ownNetwork: boolean;
  /** CA certificates (PEM) instead of those of Node.js. */
  readonly ca?: string;
  /** URL of the HTTP proxy through which files come by https and http. It resolves the names. */
  readonly proxy?: string | undefined;
}

/** The restrictions of an origin. The proxy is not for the operator's own network. */
export function reachOf(ownNetwork: boolean, proxy: string | undefined): Reach {
  return { ownNetwork, proxy: ownNetwork ? undefined : proxy };
}

/** Refuses addresses that the origin may not have with a MirrorFault. */
export function guardOf({ href }: URL, { ownNetwork, proxy }: Reach): Guard {
  return {
    anywhere: ownNetwork,
    proxy,
    refusal: (address) =>
      new MirrorFault('refused', `${href} leads to ${address}, which is no public address; see "ownNetwork"`),
  };
}
