/** Running a service: settings, log, errors, RPC, metrics, health, lifecycle, PostgreSQL. Knows no domain. */
export { type AnswerMemory, createAnswerMemory, type MemoryShare } from './answer-memory.js';
export { startingWith, unlessSilent, withSteps } from './async-iterables.js';
export { type BatchCall, type Batched, type BatcherOptions, type BatchOutcome, createBatcher } from './batcher.js';
export { cachedFor } from './cached-for.js';
export { type Database, openDatabase, openReplica, type PoolOptions } from './database.js';
export { ed25519Key } from './ed25519-key.js';
export { openAgent } from './egress-proxy.js';
export * from './errors.js';
export { createExpansionSlots, type ExpansionSlots } from './expansion-slots.js';
export { syncFolder, unlessAbsent } from './files.js';
export { type FollowOptions, follow, followFiles } from './follow.js';
export * from './guarded-request.js';
export {
  keepTrying,
  keepTryingService,
  logStreamFailure,
  onceAvailable,
  type Pauses,
  pause,
  retryPause,
} from './keep-trying.js';
export { endOfProcess, runMain, runService, withParent } from './lifecycle.js';
export { type AddressList, plainAddress, readAddressList } from './listening/address-list.js';
export * from './listening/connection-bounds.js';
export { paceConnections } from './listening/pace-connections.js';
export { readProxyHeaders } from './listening/proxy-protocol.js';
export { publicTls } from './listening/public-tls.js';
export { createLogger, type Logger } from './logger.js';
export { createFairQueue, createLoopTurns, type FairQueue, type LoopTurns } from './loop-turns.js';
export { createMetrics, type Metrics, reportProcess } from './metrics.js';
export { migrate } from './migrate.js';
export { createOperationsServer, type OperationsOptions, type OperationsServer } from './operations.js';
export { packageVersion } from './package-version.js';
export * from './postgres.js';
export { readInBackground, reportTableSizes, reportWalArchive } from './postgres-metrics.js';
export { defineProgram, type Program } from './program.js';
export { isPublicAddress, networkList, privateTopLevelNames } from './public-address.js';
export * from './read-settings.js';
export { type ReadCurrent, readPrimary, readReplica } from './replica-reads.js';
export { reservePort } from './reserve-port.js';
export { isReturnPath } from './return-path.js';
export { type AllowedCallers, createAccess } from './rpc/access.js';
export { type ConnectOptions, connect, openPeer, type Peer, type PeerOptions } from './rpc/client.js';
export { withRetry } from './rpc/retry.js';
export * from './rpc/server.js';
export { errorOfFailure, failureOf, isUnanswered, isUnimplemented, reportFailure } from './rpc/status.js';
export * from './rpc/types.js';
export { createRpcService, type RpcServiceOptions, serviceBasis } from './rpc-service.js';
export { moduleToRun } from './run-sources.js';
export { openRowStream, type RowStream, sendRows } from './send-rows.js';
export type { Service } from './service.js';
export { type Setting, type SettingOptions, setting } from './settings.js';
export * from './shared-settings.js';
export { type Asker, createSlices, createTextTasks, type Slice, smallCharacters } from './text-tasks.js';
export { type MutualTls, mutualTls } from './tls.js';
export { traceRequests } from './trace-requests.js';
export { type ClientTurns, createClientCosts, createTurns, type Turns, untilOnTime } from './turns.js';
export { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from './worker-pool.js';
