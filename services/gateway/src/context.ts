import type { ChangeLog } from '@cadastre/changes';
import type { Limiter } from '@cadastre/limits';
import type {
  ApiKeyServiceService,
  AuthenticationServiceService,
  SessionServiceService,
  SignatureServiceService,
} from '@cadastre/proto/auth';
import type { GeolocationServiceService } from '@cadastre/proto/geo';
import type {
  HierarchyServiceService,
  NotificationServiceService,
  ObjectReaderServiceService,
  ObjectWriterServiceService,
  WebhookServiceService,
} from '@cadastre/proto/objects';
import type { RoaServiceService, SearchServiceService } from '@cadastre/proto/search';
import type { LookUp, OpenSearch } from '@cadastre/searches';
import type { AnswerMemory, Logger, LoopTurns, RpcClient, Turns } from '@cadastre/service';
import type { FindAbuseContact } from './backends/abuse-contact-batcher.js';
import type { AbuseContactCache } from './backends/abuse-contact-cache.js';
import type { ChangedObject } from './backends/changed-objects.js';
import type { setService } from './backends/connect.js';
import type { FindEnclosing, FindLineage } from './backends/enclosing-batcher.js';
import type { LookupCache } from './backends/lookup-cache.js';
import type { MirrorCache } from './backends/mirror-cache.js';
import type { ObjectCache } from './backends/object-cache.js';
import type { LookUpPage } from './backends/page-lookups.js';
import type { PrincipalCache } from './backends/principal-cache.js';
import type { RecentKeys } from './backends/recent-keys.js';
import type { DescribeResources } from './backends/resource-describer.js';
import type { BodyBudget } from './body/budget.js';
import type { ServerVersion } from './documents/whois-resources-schema.js';
import type { Admission } from './hooks/admission.js';
import type { FindOwn } from './limits/own-objects.js';
import type { RdapFiles, Redirects } from './rdap/bootstrap-files.js';
import type { Compressor } from './reply/compress.js';
import type { ReadCachedFile } from './reply/files.js';
import type { Renderer } from './reply/renderer.js';
import type { RequestMetrics } from './request-metrics.js';
import type { ClientCertificates } from './server/client-certificate.js';
import type { TrustedProxies } from './server/proxies.js';
import type { GatewaySettings } from './settings.js';
import type { StaticFiles } from './web/static-files.js';

/** The dependencies of request handlers. */
export interface Context {
  readonly settings: GatewaySettings;
  readonly lookUp: LookUp;
  /** For potentially expensive reads. */
  readonly turns: Turns;
  readonly reader: RpcClient<typeof ObjectReaderServiceService>;
  readonly hierarchy: Pick<RpcClient<typeof HierarchyServiceService>, 'describeSpace' | 'listOwnSpace'>;
  /** Networks around an address, prefix or range: the nearest, and its parent. */
  readonly findNetworks: FindEnclosing;
  /** The same with the reverse zones in front of the networks. */
  readonly findZones: FindEnclosing;
  /** The parent of a network. */
  readonly findParent: FindEnclosing;
  /** All objects of these types that enclose a range, with key and status only. */
  readonly findLineage: FindLineage;
  readonly writer: RpcClient<typeof ObjectWriterServiceService>;
  readonly notifications: Pick<RpcClient<typeof NotificationServiceService>, 'unsubscribe' | 'confirm'>;
  readonly webhooks: RpcClient<typeof WebhookServiceService>;
  readonly auth: RpcClient<typeof AuthenticationServiceService>;
  readonly apiKeys: RpcClient<typeof ApiKeyServiceService>;
  readonly sessions: RpcClient<typeof SessionServiceService>;
  readonly signatures: RpcClient<typeof SignatureServiceService>;
  readonly search: Pick<
    RpcClient<typeof SearchServiceService>,
    'annotateObject' | 'countObjects' | 'listBelow' | 'listHoldings' | 'searchNames' | 'searchWords' | 'suggest'
  >;
  readonly roa: Pick<RpcClient<typeof RoaServiceService>, 'batchValidateRoutes'>;
  /** Undefined when no whois service runs. */
  readonly sets: RpcClient<typeof setService> | undefined;
  readonly openSearch: OpenSearch;
  readonly geolocation: Pick<RpcClient<typeof GeolocationServiceService>, 'locate'>;
  readonly findAbuseContact: FindAbuseContact;
  readonly objectCache: ObjectCache;
  readonly abuseContactCache: AbuseContactCache;
  readonly lookUpPage: LookUpPage;
  readonly mirrorCache: MirrorCache;
  readonly describeResources: DescribeResources;
  readonly admission: Admission;
  readonly bodyBudget: BodyBudget;
  /** For all replies that clients have not read yet. */
  readonly answerMemory: AnswerMemory;
  readonly cache: LookupCache;
  readonly changeLog: ChangeLog;
  readonly changedObject: ChangedObject;
  readonly recentKeys: RecentKeys;
  /** Those of documents of RDAP. */
  readonly recentDocuments: RecentKeys;
  readonly identities: PrincipalCache;
  readonly compressor: Compressor;
  readonly clientCertificates: ClientCertificates;
  readonly trustedProxies: TrustedProxies;
  readonly webFiles: StaticFiles;
  /** Publications without mutual consistency, by their paths below `CADASTRE_PUBLICATIONS_DIR`. */
  readonly readCachedFile: ReadCachedFile;
  /** RDAP services of other registries. */
  readonly redirects: Redirects;
  readonly rdapFiles: Pick<RdapFiles, 'served'>;
  readonly limiter: Limiter;
  /** Waits for the client's turn to render a page. */
  readonly pageTurn: LoopTurns['next'];
  readonly renderer: Renderer;
  readonly findOwn: FindOwn;
  readonly version: ServerVersion;
  /** The OpenAPI document, as JSON text. */
  readonly interfaceDescription: Buffer;
  readonly logger: Logger;
  readonly metrics: RequestMetrics;
}
