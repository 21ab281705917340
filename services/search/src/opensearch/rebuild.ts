import type { FeedPosition } from '@cadastre/changes';
import { ServiceError } from '@cadastre/service';
import { type BeginOptions, mayHave, type Rebuild } from '../index-port.js';
import { refresh, writeDocuments } from './batches.js';
import type { Cluster } from './cluster.js';
import { createIndex, deleteIndexes, indexesBehind, type SourceNames, switchAlias } from './generations.js';
import type { IndexLayout } from './stored-document.js';
import { readPosition, readRebuildOf, type VersionedRebuild, writePosition, writeRebuild } from './stored-state.js';

/** The version of the documents of an export: each write replaces earlier ones, and every later change replaces them. */
const belowAll = 0n;

/** Interval at which a rebuild stores its progress: what an interruption costs. */
const storeEveryMs = 5_000;

/** Where a rebuild works. */
export interface RebuildTarget {
  readonly cluster: Cluster;
  readonly names: SourceNames;
  readonly layout: IndexLayout;
  /** A process that has stored nothing for this long has died: another one may continue its rebuild. */
  readonly leaseMs: number;
}

/** Starts a new generation or continues an interrupted one, and deletes all others that are not in use. */
export async function startRebuild(
  target: RebuildTarget,
  newest: FeedPosition,
  options: BeginOptions = {},
): Promise<Rebuild> {
  const { cluster, names, layout } = target;
  const interrupted = await interruptedCopy(target, newest, options);
  const id = interrupted?.state.id ?? names.newGeneration();
  await deleteIndexes(
    cluster,
    (await leftovers(cluster, names)).filter((index) => index !== id),
  );
  if (interrupted) return rebuildOf(target, await hold(cluster, interrupted));
  await createIndex(cluster, id, names.building, layout);
  const now = new Date();
  const nothing = { phase: 'export', objects: 0n, exported: undefined, started: now, advanced: now } as const;
  const state = {
    ...nothing,
    id,
    serial: newest.serial,
    instant: newest.instant,
    back: options.back ?? false,
    isHeld: true,
  };
  const begun = await writeRebuild(cluster, id, state, undefined);
  if ((await indexesBehind(cluster, names.building)).includes(id)) return rebuildOf(target, begun);
  await deleteIndexes(cluster, [id]);
  throw new ServiceError('conflict', 'Another process has begun a rebuild of the source at the same time');
}

/** Errors: ServiceError 'conflict' when a process works on the copy. */
async function interruptedCopy(
  { cluster, names, leaseMs }: RebuildTarget,
  newest: FeedPosition,
  { fresh = false, unfinished = false, back }: BeginOptions,
): Promise<VersionedRebuild | undefined> {
  const [building] = await indexesBehind(cluster, names.building);
  const found = building === undefined ? undefined : await readRebuildOf(cluster, building);
  if (found === undefined && unfinished) throw new ServiceError('conflict', 'The rebuild of the source has ended');
  if (found === undefined) return undefined;
  const { state } = found;
  if (state.isHeld && Date.now() - state.advanced.getTime() < leaseMs) {
    throw new ServiceError('conflict', 'A rebuild of the source is running in another process');
  }
  const isOfRegistry = mayHave(newest, state) && (back === undefined || back === state.back);
  const hasPosition = state.phase === 'changes' || state.exported !== undefined || state.objects === 0n;
  return fresh || state.phase === 'failed' || !isOfRegistry || !hasPosition ? undefined : found;
}

function hold(cluster: Cluster, { state, sequence }: VersionedRebuild): Promise<VersionedRebuild> {
  return writeRebuild(cluster, state.id, { ...state, failure: undefined, isHeld: true }, sequence);
}

function rebuildOf({ cluster, names }: RebuildTarget, begun: VersionedRebuild): Rebuild {
  const { id, serial, instant, exported, objects, back } = begun.state;
  const isFilled = begun.state.phase === 'changes';
  let stored = begun;
  let state = begun.state;
  let isOpen = true;
  // Fails when another process has continued or discarded the copy.
  const store = async () => {
    stored = await writeRebuild(cluster, id, state, stored.sequence);
    state = stored.state;
  };
  const storeNowAndThen = async () => {
    if (Date.now() - state.advanced.getTime() >= storeEveryMs) await store();
  };
  /** Whether no other process has continued the copy. Writing to a discarded one would create an index. */
  const isOurs = async () => {
    const found = await readRebuildOf(cluster, id);
    return found?.sequence.if_seq_no === stored.sequence.if_seq_no;
  };
  const endExport = async () => {
    if (state.phase === 'changes') return;
    state = { ...state, phase: 'changes' };
    await store();
  };
  return {
    id,
    start: { serial, instant },
    exported,
    objects,
    isFilled,
    async fill(documents, position) {
      await writeDocuments(cluster, id, { documents, deletions: [] }, belowAll);
      state = { ...state, exported: position, objects: state.objects + BigInt(documents.length) };
      await storeNowAndThen();
    },
    async apply(changes) {
      await endExport();
      await writeDocuments(cluster, id, changes, changes.serial);
      const { serial: reached, instant } = changes;
      if (reached >= state.serial) state = { ...state, serial: reached, instant };
      await storeNowAndThen();
    },
    async finish(reached) {
      await endExport();
      if (!back && (await isFurther(cluster, names.alias, reached.serial))) return false;
      await refresh(cluster, id);
      await writePosition(cluster, id, reached, await readPosition(cluster, id));
      await switchAlias(cluster, names, id);
      isOpen = false;
      return true;
    },
    async suspend(failure) {
      if (!isOpen) return;
      isOpen = false;
      if (!(await isOurs().catch(() => false))) return;
      state = { ...state, failure, isHeld: false };
      await store().catch(() => {}); // the cluster is unavailable: the lease ends by itself
    },
    async abandon(failure) {
      if (!isOpen) return;
      isOpen = false;
      if ((await indexesBehind(cluster, names.building)).includes(id) && !(await isOurs())) return;
      const failed = { ...state, phase: 'failed' as const, failure, isHeld: false };
      const [inUse] = await indexesBehind(cluster, names.alias);
      if (failure === undefined || inUse !== undefined) await deleteIndexes(cluster, [id]);
      if (failure === undefined) return;
      // Before the first index only the copy can hold the reason; the next rebuild deletes it.
      const holder = inUse ?? id;
      await writeRebuild(cluster, holder, failed, (await readRebuildOf(cluster, holder))?.sequence);
    },
  };
}

/**
 * Unused indexes: of this mapping version, those that the alias does not point to; of other versions all, once this
 * version has an index in use (until then they may still serve).
 */
async function leftovers(cluster: Cluster, names: SourceNames): Promise<string[]> {
  const inUse = await indexesBehind(cluster, names.alias);
  const all = await indexesBehind(cluster, inUse.length > 0 ? names.everything : names.generations);
  return all.filter((index) => !inUse.includes(index));
}

async function isFurther(cluster: Cluster, alias: string, serial: bigint): Promise<boolean> {
  const inUse = await readPosition(cluster, alias);
  return inUse !== undefined && inUse.serial > serial;
}
