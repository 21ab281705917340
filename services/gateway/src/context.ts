import type {
  ApiKeyServiceService,
  AuthenticationServiceService,
  SessionServiceService,
  SignatureServiceService,
} from '@cadastre/proto/auth';
import type { AbuseContactServiceService, GeolocationServiceService } from '@cadastre/proto/geo';
import type { ObjectReaderServiceService, ObjectWriterServiceService } from '@cadastre/proto/objects';
import type { SearchServiceService } from '@cadastre/proto/search';
import type { Logger, RpcClient } from '@cadastre/service';
import type { Admission } from './admission.js';
import type { ClientCertificates } from './client-certificate.js';
import type { LookUp } from './clients/lookup-batcher.js';
import type { LookupCache } from './clients/lookup-cache.js';
import type { ServerVersion } from './format/resource.js';
import type { Consumers } from './limits/consumers.js';
import type { Limits } from './limits/limits.js';
import type { IsOwn } from './limits/ownership.js';
import type { RequestMetrics } from './request-metrics.js';
import type { GatewaySettings } from './settings.js';
import type { TrustedProxies } from './trusted-proxies.js';
import type { WebFiles } from './web-files.js';

/** What was wired: everything that answering a request needs. */
export interface Context {
  readonly settings: GatewaySettings;
  readonly lookUp: LookUp;
  readonly reader: RpcClient<typeof ObjectReaderServiceService>;
  readonly writer: RpcClient<typeof ObjectWriterServiceService>;
  readonly auth: RpcClient<typeof AuthenticationServiceService>;
  readonly apiKeys: RpcClient<typeof ApiKeyServiceService>;
  readonly sessions: RpcClient<typeof SessionServiceService>;
  readonly signatures: RpcClient<typeof SignatureServiceService>;
  readonly search: RpcClient<typeof SearchServiceService>;
  readonly geolocation: RpcClient<typeof GeolocationServiceService>;
  readonly abuseContacts: RpcClient<typeof AbuseContactServiceService>;
  readonly admission: Admission;
  readonly cache: LookupCache;
  readonly clientCertificates: ClientCertificates;
  readonly trustedProxies: TrustedProxies;
  readonly webFiles: WebFiles;
  readonly consumers: Consumers;
  readonly limits: Limits;
  readonly isOwn: IsOwn;
  readonly version: ServerVersion;
  /** The OpenAPI document, as JSON text. */
  readonly interfaceDescription: Buffer;
  readonly logger: Logger;
  readonly metrics: RequestMetrics;
}
