import {
  ApiKeyServiceService,
  AuthenticationServiceService,
  SessionServiceService,
  SignatureServiceService,
} from '@cadastre/proto/auth';
import { AbuseContactServiceService, GeolocationServiceService, ResourceServiceService } from '@cadastre/proto/geo';
import { MirrorServiceService } from '@cadastre/proto/mirror';
import {
  ChangeFeedServiceService,
  HierarchyServiceService,
  NotificationServiceService,
  ObjectReaderServiceService,
  ObjectWriterServiceService,
  WebhookServiceService,
} from '@cadastre/proto/objects';
import { RoaServiceService, SearchServiceService } from '@cadastre/proto/search';
import { SetServiceService } from '@cadastre/proto/whois';
import { type Metrics, type MutualTls, openPeer, type Peer, type RpcClient } from '@cadastre/service';
import type { GatewaySettings } from '../settings.js';

/** The services that the gateway calls. */
export interface Backends {
  reader: RpcClient<typeof ObjectReaderServiceService>;
  hierarchy: RpcClient<typeof HierarchyServiceService>;
  writer: RpcClient<typeof ObjectWriterServiceService>;
  notifications: RpcClient<typeof NotificationServiceService>;
  webhooks: RpcClient<typeof WebhookServiceService>;
  feed: RpcClient<typeof ChangeFeedServiceService>;
  auth: RpcClient<typeof AuthenticationServiceService>;
  apiKeys: RpcClient<typeof ApiKeyServiceService>;
  sessions: RpcClient<typeof SessionServiceService>;
  signatures: RpcClient<typeof SignatureServiceService>;
  search: RpcClient<typeof SearchServiceService>;
  geolocation: RpcClient<typeof GeolocationServiceService>;
  abuseContacts: RpcClient<typeof AbuseContactServiceService>;
  resources: RpcClient<typeof ResourceServiceService>;
  roa: RpcClient<typeof RoaServiceService>;
  /** Undefined when no whois service runs. */
  sets: RpcClient<typeof setService> | undefined;
  /** Undefined when no mirror service runs. */
  mirrors: RpcClient<typeof MirrorServiceService> | undefined;
}

/** Connects to all services, except those with a client in `given`. */
export function connectBackends(
  settings: GatewaySettings,
  around: { tls: MutualTls | undefined; metrics: Metrics },
  given: Partial<Backends>,
): Backends & { close(): void } {
  const { deadlines, streamDeadline } = settings;
  const peers: Peer[] = [];
  const peerAt = (address: string): Peer => {
    const peer = openPeer({ ...around, address });
    peers.push(peer);
    return peer;
  };
  const objects = peerAt(settings.objectsAddress);
  const auth = peerAt(settings.authAddress);
  const search = peerAt(settings.searchAddress);
  const whois = settings.whoisAddress === undefined ? undefined : peerAt(settings.whoisAddress);
  const mirror = settings.mirrorAddress === undefined ? undefined : peerAt(settings.mirrorAddress);
  const reading = { deadlineMs: deadlines.read };
  const writing = { deadlineMs: deadlines.write };
  const streaming = { deadlineMs: streamDeadline };
  return {
    reader: objects.client(ObjectReaderServiceService, reading),
    hierarchy: objects.client(HierarchyServiceService, reading),
    writer: objects.client(ObjectWriterServiceService, writing),
    notifications: objects.client(NotificationServiceService, writing),
    webhooks: objects.client(WebhookServiceService, writing),
    feed: objects.client(ChangeFeedServiceService, { deadlineMs: Number.POSITIVE_INFINITY }),
    auth: auth.client(AuthenticationServiceService, reading),
    apiKeys: auth.client(ApiKeyServiceService, reading),
    sessions: auth.client(SessionServiceService, reading),
    signatures: auth.client(SignatureServiceService, reading),
    search: search.client(SearchServiceService, streaming),
    geolocation: search.client(GeolocationServiceService, reading),
    abuseContacts: search.client(AbuseContactServiceService, reading),
    resources: search.client(ResourceServiceService, reading),
    roa: search.client(RoaServiceService, reading),
    sets: whois?.client(setService, streaming),
    mirrors: mirror?.client(MirrorServiceService, reading),
    ...given,
    close() {
      for (const peer of peers) peer.close();
    },
  };
}

/** The sets of whois. Descriptions stay encoded: they may have megabytes, which the thread of the renderer decodes. */
export const setService = {
  ...SetServiceService,
  describeSet: { ...SetServiceService.describeSet, responseDeserialize: (message: Buffer) => message },
} as const;
