import { createChangeLog } from '@cadastre/changes';
import type { Limiter } from '@cadastre/limits';
import { createLookupBatcher, createOpenSearch } from '@cadastre/searches';
import {
  type AnswerMemory,
  createLoopTurns,
  createTurns,
  type Logger,
  type Metrics,
  packageVersion,
} from '@cadastre/service';
import { createAbuseContactBatcher } from './backends/abuse-contact-batcher.js';
import { createAbuseContactCache } from './backends/abuse-contact-cache.js';
import { createChangedObjects } from './backends/changed-objects.js';
import type { Backends } from './backends/connect.js';
import { createLineages, createNearestBatcher, createParentBatcher } from './backends/enclosing-batcher.js';
import { createIndexFirst } from './backends/index-first.js';
import { createLookupCache, maxAgeMs } from './backends/lookup-cache.js';
import { createMirrorCache } from './backends/mirror-cache.js';
import { createObjectBatcher } from './backends/object-batcher.js';
import { createObjectCache } from './backends/object-cache.js';
import { createPageLookups } from './backends/page-lookups.js';
import { createPrincipalCache } from './backends/principal-cache.js';
import { createRecentKeys } from './backends/recent-keys.js';
import { createResourceDescriber } from './backends/resource-describer.js';
import { bodyBudgetBytes, createBodyBudget } from './body/budget.js';
import type { Context } from './context.js';
import type { ServerVersion } from './documents/whois-resources-schema.js';
import { createAdmission } from './hooks/admission.js';
import { createOwnership } from './limits/own-objects.js';
import { interfaceText } from './openapi/describe-interface.js';
import type { RdapFiles } from './rdap/bootstrap-files.js';
import { createCompressor } from './reply/compress.js';
import { createCachedFiles } from './reply/files.js';
import { createRenderer } from './reply/renderer.js';
import { createRequestMetrics } from './request-metrics.js';
import { createClientCertificates } from './server/client-certificate.js';
import { createTrustedProxies } from './server/proxies.js';
import type { GatewaySettings } from './settings.js';
import { readStaticFiles } from './web/static-files.js';

/** The parts of the context. */
interface ContextOptions {
  readonly settings: GatewaySettings;
  readonly backends: Backends;
  readonly limiter: Limiter;
  readonly rdapFiles: RdapFiles;
  readonly answerMemory: AnswerMemory;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Memory for objects that documents of RDAP share, and for their abuse contacts. */
const objectCacheBytes = 32 * 1024 * 1024;
const cachedContacts = 20_000;
/** A document of RDAP is cached if it was requested before within this time. */
const recentDocumentMs = 3_600_000;
/**
 * Maximum concurrent expensive reads: more than one, because they wait for the objects service and for their thread.
 */
const costlyReads = 3;

/** Wires the context. Rejects when the files of the web interface cannot be read, and with a SettingsError. */
export async function createContext(o: ContextOptions): Promise<Context> {
  const { settings, backends, limiter, rdapFiles, answerMemory, logger, metrics } = o;
  const { source } = settings;
  const { reader, search, abuseContacts, resources, roa, mirrors, ...others } = backends;
  const version = serverVersion();
  const lookUp = createLookupBatcher(reader, { size: 100, callsInFlight: 8, deadlineMs: settings.deadlines.read });
  const newestSerial = () => cache.newestSerial(source);
  const findAbuseContact = createAbuseContactBatcher(abuseContacts, settings.deadlines.read, newestSerial);
  // Rendering uses this process: a client with one search does not wait for all pages of another with many.
  const pageTurn = createLoopTurns({ everyOwner: true }).next;
  const ofSource = { source, deadlineMs: settings.deadlines.read };
  const indexFirst = createIndexFirst(newestSerial, settings.deadlines.read);
  const findByKey = createObjectBatcher({ search, lookUp }, indexFirst, ofSource);
  const objectCache = createObjectCache(findByKey, { source, bytes: objectCacheBytes });
  const abuseContactCache = createAbuseContactCache(findAbuseContact, { source, max: cachedContacts });
  const cache = createLookupCache(settings.cacheBytes, [objectCache, abuseContactCache]);
  const networks = { ...ofSource, types: ['inetnum', 'inet6num'] } as const;
  return {
    ...others,
    reader,
    search,
    roa,
    settings,
    admission: createAdmission(settings, metrics),
    lookUp,
    findNetworks: createNearestBatcher(backends, indexFirst, networks),
    findZones: createNearestBatcher(backends, indexFirst, { ...networks, types: ['domain'] }),
    findParent: createParentBatcher(backends.hierarchy, networks),
    findLineage: createLineages(backends.hierarchy, settings.source),
    redirects: rdapFiles.redirects,
    rdapFiles,
    turns: createTurns(costlyReads, 1),
    openSearch: createOpenSearch(search, {
      firstPageMs: settings.deadlines.search,
      wholeMs: settings.streamDeadline,
    }),
    findAbuseContact,
    objectCache,
    abuseContactCache,
    lookUpPage: createPageLookups({ reader, search }, indexFirst, ofSource),
    mirrorCache: createMirrorCache(mirrors, { logger, now: Date.now }),
    describeResources: createResourceDescriber(resources, roa, settings.deadlines.read),
    bodyBudget: createBodyBudget(bodyBudgetBytes, metrics),
    answerMemory,
    cache,
    changeLog: createChangeLog({ feed: backends.feed, deadlineMs: settings.deadlines.read, metrics }),
    // A separate batcher: streams may need many objects at a time, and must not delay lookups.
    changedObject: createChangedObjects(
      settings.source,
      createLookupBatcher(reader, { size: 100, callsInFlight: 1, deadlineMs: settings.deadlines.read }),
    ),
    recentKeys: createRecentKeys({ forMs: maxAgeMs }),
    recentDocuments: createRecentKeys({ forMs: recentDocumentMs }),
    identities: createPrincipalCache(),
    compressor: createCompressor(),
    clientCertificates: createClientCertificates(settings.clientCertFrom),
    trustedProxies: createTrustedProxies(settings),
    webFiles: await readStaticFiles(settings.webDirectory),
    readCachedFile: createCachedFiles(settings.publicationsDirectory),
    limiter,
    pageTurn,
    renderer: createRenderer(limiter, pageTurn),
    findOwn: createOwnership(reader, settings.deadlines.read),
    version,
    interfaceDescription: Buffer.from(interfaceText(version.version)),
    logger,
    metrics: createRequestMetrics(metrics),
  };
}

/** The version in responses. The build sets the two variables, which are not settings (scripts/build-facts.sh). */
function serverVersion(): ServerVersion {
  const { CADASTRE_BUILD_TIME: buildTime, CADASTRE_BUILD_COMMIT: buildCommit } = process.env;
  return {
    version: packageVersion(import.meta.url),
    ...(buildTime ? { timestamp: buildTime } : {}),
    ...(buildCommit ? { 'commit-id': buildCommit } : {}),
  };
}
