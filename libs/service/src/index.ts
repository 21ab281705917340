/** Running a service: settings, log, errors, RPC, metrics, health, lifecycle, PostgreSQL. Knows no domain. */
export { type AnswerMemory, createAnswerMemory, type MemoryShare } from './answer-memory.js';
export { baseSettings } from './base-settings.js';
export { type BatchCall, type Batched, type BatcherOptions, type BatchOutcome, createBatcher } from './batcher.js';
export { createClientCosts } from './client-costs.js';
export { type Database, openDatabase, openReplica, type PoolOptions } from './database.js';
export { storeCaSettings, withCa } from './database-settings.js';
export { ed25519Key } from './ed25519-key.js';
export {
  errorText,
  type FailureKind,
  failureMessage,
  formatMessage,
  isUnavailable,
  ServiceError,
  toServiceError,
  wireMessage,
} from './errors.js';
export { createExpansionPlaces, type ExpansionPlaces } from './expansion-places.js';
export { createFairQueue, type FairQueue } from './fair-queue.js';
export { type FollowOptions, follow } from './follow.js';
export { followFiles } from './follow-files.js';
export {
  type AddressRule,
  allowedAddresses,
  type Guard,
  guardedLookup,
  guardedRequest,
  refusedPart,
  requireAllowedLiteral,
} from './guarded-request.js';
export { keepTrying, keepTryingService, logStreamFailure, type Pauses, pause, retryPause } from './keep-trying.js';
export { runMain, runService, withParent } from './lifecycle.js';
export { type AddressList, plainAddress, readAddressList } from './listening/address-list.js';
export {
  type BoundedConnection,
  type ClientNetworks,
  createConnectionBounds,
  type PortBounds,
  type TooMany,
} from './listening/connection-bounds.js';
export { paceConnections } from './listening/pace-connections.js';
export { readProxyHeaders } from './listening/proxy-protocol.js';
export { publicTls } from './listening/public-tls.js';
export { createLogger, type Logger } from './logger.js';
export { createLoopTurns, type LoopTurns } from './loop-turns.js';
export { createMetrics, type Metrics, reportProcess } from './metrics.js';
export { migrate } from './migrate.js';
export { createOperationsServer, type OperationsOptions, type OperationsServer } from './operations.js';
export { packageVersion } from './package-version.js';
export {
  type CommitWith,
  duringCall,
  inTransaction,
  inTransactionOn,
  reportPools,
  type TransactionOptions,
  together,
  withConnection,
} from './postgres.js';
export { defineProgram, type Program } from './program.js';
export { isPublicAddress, networkList, privateTopLevelNames } from './public-address.js';
export { readInBackground } from './read-in-background.js';
export {
  describeSettings,
  type Environment,
  readSettings,
  SettingsError,
  type SettingsSpec,
  type Values,
} from './read-settings.js';
export {
  addressSettings,
  type PublicTexts,
  publicPortSettings,
  publicTextSettings,
  registrySettings,
  sourceAliasSettings,
  sourceSettings,
  suspectMailboxSettings,
  termsSettings,
  webhookSettings,
} from './registry-settings.js';
export { type ReadCurrent, readPrimary, readReplica } from './replica-reads.js';
export { reservePort } from './reserve-port.js';
export { isReturnPath } from './return-path.js';
export { type AllowedCallers, createAccess } from './rpc/access.js';
export { type ConnectOptions, connect, openPeer, type Peer, type PeerOptions } from './rpc/client.js';
export { reportFailure } from './rpc/report-failure.js';
export { withRetry } from './rpc/retry.js';
export {
  createRpcServer,
  type Implementation,
  implement,
  type RpcServer,
  type RpcServerOptions,
} from './rpc/server.js';
export { errorOfFailure, failureOf, isUnanswered, isUnimplemented } from './rpc/status.js';
export type {
  Call,
  CallOptions,
  Handler,
  Handlers,
  MethodDefinition,
  RequestOf,
  ResponseOf,
  RpcClient,
  ServiceDefinition,
} from './rpc/types.js';
export { unlessSilent } from './rpc/unless-silent.js';
export { createRpcService, type RpcServiceOptions, serviceBasis } from './rpc-service.js';
export { rpcSettings } from './rpc-settings.js';
export { moduleToRun } from './run-sources.js';
export { openRowStream, type RowStream, sendRows } from './send-rows.js';
export type { Service } from './service.js';
export { type Setting, type SettingOptions, setting } from './settings.js';
export { createSlices, type Slice } from './slices.js';
export { startingWith } from './starting-with.js';
export { syncFolder } from './sync-folder.js';
export { reportTableSizes } from './table-sizes.js';
export { type Asker, createTextTasks, smallCharacters } from './text-tasks.js';
export { type MutualTls, mutualTls } from './tls.js';
export { traceRequests } from './trace-requests.js';
export { type ClientTurns, createTurns, type Turns } from './turns.js';
export { unlessAbsent } from './unless-absent.js';
export { untilOnTime } from './until-on-time.js';
export { reportWalArchive } from './wal-archive.js';
export { withSteps } from './with-steps.js';
export { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from './worker-pool.js';
