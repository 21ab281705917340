import { MirrorServiceService, MirrorState, OriginKind } from '@cadastre/proto/mirror';
import type { Command } from 'commander';
import type { Run } from '../action.js';
import { withClient } from '../clients.js';
import { type ExitCode, exitCode, type Io, note, say } from '../io.js';
import { addMirrorAddCommands } from './mirror-add.js';
import { addMirrorKeysCommands } from './mirror-keys.js';
import { asList, type ListOptions, printJson, printList } from './results.js';

const kinds: Readonly<Partial<Record<OriginKind, string>>> = {
  [OriginKind.ORIGIN_KIND_NRTM4]: 'nrtm4',
  [OriginKind.ORIGIN_KIND_NRTM3]: 'nrtm3',
  [OriginKind.ORIGIN_KIND_DUMP]: 'dump',
};

const states: Readonly<Partial<Record<MirrorState, string>>> = {
  [MirrorState.MIRROR_STATE_LOADING]: 'loading',
  [MirrorState.MIRROR_STATE_CURRENT]: 'current',
  [MirrorState.MIRROR_STATE_STALE]: 'stale',
  [MirrorState.MIRROR_STATE_REFUSED]: 'refused',
};

/** Adds `cadastre mirror status|reset|presets|add|keys`. */
export function addMirrorCommands(program: Command, io: Io, run: Run): void {
  const mirror = program.command('mirror').description('Follow other registries, and publish sources for others.');
  asList(mirror.command('status'), 'JSON with the arrays "mirrors" and "publications" instead of tables')
    .description(
      'Show the sources that follow other registries, and those that are published. Exit code 2 when a registry was ' +
        'refused, or publishing failed.',
    )
    .action(run((options: ListOptions) => showStatus(io, options)));
  mirror
    .command('reset')
    .description(
      'Forget session, version and learnt keys of a registry that was refused: the next update begins with the ' +
        'configured key and a whole load. Readers keep the objects until then.',
    )
    .argument('<source>', 'our source')
    .action(run((source: string) => reset(io, source)));
  addMirrorAddCommands(mirror, io, run);
  addMirrorKeysCommands(mirror, io, run);
}

async function showStatus(io: Io, { json, limit }: ListOptions): Promise<ExitCode> {
  const { mirrors, publications } = await withClient(io, 'mirror', MirrorServiceService, async (client) => ({
    ...(await client.listMirrors({})),
    ...(await client.listPublications({})),
  }));
  const followed = mirrors.map((one) => ({
    source: one.source,
    kind: kinds[one.kind] ?? 'unknown',
    origin: one.origin,
    originSource: one.originSource,
    state: states[one.state] ?? 'unknown',
    session: one.sessionId || null,
    version: one.version ?? null,
    checked: one.checkedAt ?? null,
    changed: one.changedAt ?? null,
    staleSince: one.staleSince ?? null,
    rejected: one.counts?.rejected ?? 0n,
    classes: one.classes,
    warnings: one.warnings,
    error: one.error || null,
  }));
  const published = publications.map((one) => ({
    source: one.source,
    session: one.sessionId || null,
    version: one.version,
    serial: one.serial,
    snapshot: one.snapshotVersion,
    notified: one.notifiedAt ?? null,
    key: one.keyFingerprint || null,
    nextKey: one.nextKeyFingerprint || null,
    error: one.error || null,
  }));
  if (json) {
    printJson(io, { mirrors: followed.slice(0, limit), publications: published.slice(0, limit) });
  } else {
    const rows = followed.map(({ classes: _classes, warnings: _warnings, ...one }) => one);
    if (rows.length > 0) await printList(io, mirrorColumns, rows, { limit });
    for (const { source, warnings } of followed) for (const one of warnings) note(io, `${source}: ${one}.`);
    if (followed.length > 0 && published.length > 0) say(io, '');
    if (published.length > 0) await printList(io, publicationColumns, published, { limit });
    if (followed.length + published.length === 0)
      note(io, 'The mirror service neither follows nor publishes a source.');
  }
  const isFailed = followed.some(({ state }) => state === 'refused') || published.some(({ error }) => error !== null);
  return isFailed ? exitCode.failed : exitCode.done;
}

const mirrorColumns = [
  { name: 'source', head: 'MIRROR' },
  'kind',
  'state',
  'version',
  'checked',
  'staleSince',
  'origin',
  { name: 'error', none: '' },
] as const;

const publicationColumns = [
  { name: 'source', head: 'PUBLISHED' },
  'version',
  'serial',
  'snapshot',
  'notified',
  'key',
  'nextKey',
  { name: 'error', none: '' },
] as const;

async function reset(io: Io, source: string): Promise<void> {
  await withClient(io, 'mirror', MirrorServiceService, (client) => client.resetMirror({ source }));
  say(io, `${source} is loaded again; "cadastre mirror status" shows when it is current.`);
}
