import { CredentialKind as WireCredentialKind, type Principal as WirePrincipal } from '@cadastre/proto/registry';
import type { CredentialKind, Principal } from '../domain/principal.js';

const kinds: { readonly [kind in WireCredentialKind]?: CredentialKind } = {
  [WireCredentialKind.CREDENTIAL_KIND_API_KEY]: 'API key',
  [WireCredentialKind.CREDENTIAL_KIND_SESSION]: 'session',
  [WireCredentialKind.CREDENTIAL_KIND_BEARER_TOKEN]: 'bearer token',
  [WireCredentialKind.CREDENTIAL_KIND_CLIENT_CERTIFICATE]: 'client certificate',
  [WireCredentialKind.CREDENTIAL_KIND_SIGNATURE]: 'signature',
};

/** The caller as authorisation knows it; undefined for one who proved to be nobody in particular. */
export function principalOf(wire: WirePrincipal | undefined): Principal | undefined {
  if (wire === undefined || (wire.accountId === '' && wire.accountName === '' && wire.keyFingerprints.length === 0)) {
    return undefined;
  }
  return { ...wire, credentials: wire.credentials.flatMap((kind) => kinds[kind] ?? []) };
}
