import {
  ApiKeyServiceService,
  AuthenticationServiceService,
  BlockListServiceService,
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
import { RoaServiceService } from '@cadastre/proto/search';
import { SetServiceService } from '@cadastre/proto/whois';
import { connect, type Metrics, type MutualTls, type RpcClient } from '@cadastre/service';
import type { GatewaySettings } from '../settings.js';
import { searchService } from './search-service.js';

type Client<D extends Parameters<typeof connect>[0]> = RpcClient<D> & { close(): void };

/** The services that the gateway calls. */
export interface Backends {
  reader: Client<typeof ObjectReaderServiceService>;
  hierarchy: Client<typeof HierarchyServiceService>;
  writer: Client<typeof ObjectWriterServiceService>;
  notifications: Client<typeof NotificationServiceService>;
  webhooks: Client<typeof WebhookServiceService>;
  feed: Client<typeof ChangeFeedServiceService>;
  auth: Client<typeof AuthenticationServiceService>;
  blocks: Client<typeof BlockListServiceService>;
  apiKeys: Client<typeof ApiKeyServiceService>;
  sessions: Client<typeof SessionServiceService>;
  signatures: Client<typeof SignatureServiceService>;
  search: Client<typeof searchService>;
  geolocation: Client<typeof GeolocationServiceService>;
  abuseContacts: Client<typeof AbuseContactServiceService>;
  resources: Client<typeof ResourceServiceService>;
  roa: Client<typeof RoaServiceService>;
  /** Undefined when no whois service runs. */
  sets: Client<typeof SetServiceService> | undefined;
  /** Undefined when no mirror service runs. */
  mirrors: Client<typeof MirrorServiceService> | undefined;
}

/** Connects to all services, except those that `given` has clients for. */
export function connectBackends(
  settings: GatewaySettings,
  around: { tls: MutualTls | undefined; metrics: Metrics },
  given: Partial<Backends>,
): Backends {
  const { objectsAddress, authAddress, searchAddress, geoAddress, whoisAddress, mirrorAddress } = settings;
  const { readDeadline, writeDeadline, streamDeadline } = settings;
  const at = (address: string, deadlineMs: number) => ({ name: 'gateway', ...around, address, deadlineMs });
  const reading = at(objectsAddress, readDeadline);
  const authenticating = at(authAddress, readDeadline);
  // Calls that change something are not repeated, except when they met a connection that was closing.
  const changing = { ...authenticating, resendsUnseen: true };
  const locating = at(geoAddress, readDeadline);
  return {
    reader:
      given.reader ??
      connect(ObjectReaderServiceService, {
        ...reading,
        idempotent: ['batchLookup', 'listVersions', 'getVersion', 'listSources'],
      }),
    hierarchy:
      given.hierarchy ??
      connect(HierarchyServiceService, {
        ...reading,
        idempotent: ['batchFindEnclosing', 'describeSpace', 'listOwnSpace'],
      }),
    writer: given.writer ?? connect(ObjectWriterServiceService, at(objectsAddress, writeDeadline)),
    notifications:
      given.notifications ??
      connect(NotificationServiceService, {
        ...at(objectsAddress, writeDeadline),
        idempotent: ['unsubscribe', 'confirm'],
      }),
    webhooks:
      given.webhooks ??
      connect(WebhookServiceService, {
        ...at(objectsAddress, writeDeadline),
        idempotent: ['listWebhooks', 'getWebhook', 'listWebhookAttempts'],
        resendsUnseen: true,
      }),
    feed:
      given.feed ??
      connect(ChangeFeedServiceService, {
        ...at(objectsAddress, Number.POSITIVE_INFINITY),
        idempotent: ['listChanges'],
      }),
    auth: given.auth ?? connect(AuthenticationServiceService, { ...authenticating, idempotent: ['authenticate'] }),
    blocks: given.blocks ?? connect(BlockListServiceService, { ...authenticating, idempotent: ['listBlocks'] }),
    apiKeys: given.apiKeys ?? connect(ApiKeyServiceService, { ...changing, idempotent: ['listApiKeys'] }),
    sessions:
      given.sessions ?? connect(SessionServiceService, { ...changing, idempotent: ['getSession', 'endSession'] }),
    signatures: given.signatures ?? connect(SignatureServiceService, { ...changing, idempotent: ['listSigners'] }),
    search:
      given.search ??
      connect(searchService, {
        ...at(searchAddress, streamDeadline),
        idempotent: [
          'annotateObject',
          'countObjects',
          'expandSet',
          'listBelow',
          'listHoldings',
          'search',
          'searchNames',
          'searchWords',
          'suggest',
        ],
      }),
    geolocation:
      given.geolocation ?? connect(GeolocationServiceService, { ...locating, idempotent: ['batchLocate', 'locate'] }),
    abuseContacts:
      given.abuseContacts ??
      connect(AbuseContactServiceService, {
        ...locating,
        idempotent: ['batchFindAbuseContacts', 'findAbuseContact'],
      }),
    resources:
      given.resources ?? connect(ResourceServiceService, { ...locating, idempotent: ['batchDescribeResources'] }),
    roa:
      given.roa ??
      connect(RoaServiceService, { ...at(searchAddress, readDeadline), idempotent: ['batchValidateRoutes'] }),
    sets:
      given.sets ??
      (whoisAddress === undefined ? undefined : connect(SetServiceService, at(whoisAddress, streamDeadline))),
    mirrors:
      given.mirrors ??
      (mirrorAddress === undefined
        ? undefined
        : connect(MirrorServiceService, { ...at(mirrorAddress, readDeadline), idempotent: ['listMirrors'] })),
  };
}
