import { LookupStatus } from '@cadastre/proto/objects';
import {
  type ObjectKey,
  CredentialKind as WireCredentialKind,
  type Principal as WirePrincipal,
} from '@cadastre/proto/registry';
import { type Key, messages, type ObjectTypeName, objectType, parseForeignKey, parseKey } from '@cadastre/rpsl';
import { failureMessage, ServiceError, wireMessage } from '@cadastre/service';
import type { CredentialKind, Principal } from '../domain/authenticate.js';
import type { Source, Sources } from '../store/sources.js';
import type { ObjectId } from '../store/stored-object.js';

/** The source and object ID of a requested key, or a status that explains why it is invalid. */
type RequestedKey =
  | { readonly ok: true; readonly source: Source; readonly id: ObjectId }
  | { readonly ok: false; readonly status: LookupStatus };

export function requestedKey(sources: Sources, key: ObjectKey | undefined): RequestedKey {
  const source = sources.byName(key?.source ?? '');
  if (source === undefined) return { ok: false, status: LookupStatus.LOOKUP_STATUS_UNKNOWN_SOURCE };
  const type = objectType(key?.type ?? '');
  if (type === undefined) return { ok: false, status: LookupStatus.LOOKUP_STATUS_UNKNOWN_TYPE };
  const parsed = keyIn(source, type.name, key?.key ?? '');
  if (parsed === undefined) return { ok: false, status: LookupStatus.LOOKUP_STATUS_INVALID_KEY };
  return { ok: true, source, id: { sourceId: source.id, type: type.name, key: parsed.folded } };
}

/** Parses the key of an object of a source; undefined when it cannot be one. Other registries have other names. */
export function keyIn({ kind }: Source, type: ObjectTypeName, text: string): Key | undefined {
  return kind === 'main' ? parseKey(type, text) : parseForeignKey(type, text);
}

/** Like `requestedKey`, but throws when the key is invalid. */
export function requireKey(sources: Sources, key: ObjectKey | undefined): { source: Source; id: ObjectId } {
  const requested = requestedKey(sources, key);
  if (requested.ok) return requested;
  switch (requested.status) {
    case LookupStatus.LOOKUP_STATUS_UNKNOWN_SOURCE:
      throw unknownSource(key?.source ?? '');
    case LookupStatus.LOOKUP_STATUS_UNKNOWN_TYPE:
      throw unknownType(key?.type ?? '');
    default:
      throw new ServiceError('invalid', [failureMessage('Invalid key "%s" for type %s', [key!.key, key!.type])]);
  }
}

export function requireSource(sources: Sources, name: string): Source {
  const source = sources.byName(name);
  if (source === undefined) throw unknownSource(name);
  return source;
}

export function requireType(name: string): ObjectTypeName {
  const type = objectType(name);
  if (type === undefined) throw unknownType(name);
  return type.name;
}

function unknownSource(name: string): ServiceError {
  return new ServiceError('invalid', [wireMessage(messages.invalidSource(name))]);
}

function unknownType(name: string): ServiceError {
  return new ServiceError('invalid', [failureMessage('"%s" is not a known object type', [name])]);
}

const kinds: { readonly [kind in WireCredentialKind]?: CredentialKind } = {
  [WireCredentialKind.CREDENTIAL_KIND_API_KEY]: 'API key',
  [WireCredentialKind.CREDENTIAL_KIND_SESSION]: 'session',
  [WireCredentialKind.CREDENTIAL_KIND_BEARER_TOKEN]: 'bearer token',
  [WireCredentialKind.CREDENTIAL_KIND_CLIENT_CERTIFICATE]: 'client certificate',
  [WireCredentialKind.CREDENTIAL_KIND_SIGNATURE]: 'signature',
};

/** The principal of a request; undefined for an anonymous caller. */
export function principalOf(wire: WirePrincipal | undefined): Principal | undefined {
  if (wire === undefined || (wire.accountId === '' && wire.accountName === '' && wire.keyFingerprints.length === 0)) {
    return undefined;
  }
  return { ...wire, credentials: wire.credentials.flatMap((kind) => kinds[kind] ?? []) };
}
