import type { Mirror, Publication } from '@cadastre/proto/mirror';
import { leavesOutInvalid } from '@cadastre/roa';
import { cachedFor, type Logger } from '@cadastre/service';
import type { Backends, Context, IrrdContext } from '../context.js';
import type { Connection, IrrdState } from '../dialect.js';
import type { SerialRange } from '../nrtm/journals.js';
import type { SetIndex } from '../sets/set-index.js';
import { type Command, data, done, unavailableSources } from './answers.js';

/**
 * `!s-lc` shows the chosen sources, `!sA,B` chooses, `!s-routes:C,D` chooses those of routes, and `!sA,B-routes:C,D`
 * both; `!s-*` does nothing, for irrtoolset.
 */
export function sources(index: SetIndex): Command {
  return (argument, state) => {
    if (argument === '-lc') return { body: data(state.irrd.sources.join(',')), state };
    if (argument === '-*') return { body: done, state };
    const choice = choiceIn(argument.toUpperCase(), index);
    if (choice === undefined) return { body: unavailableSources, state };
    return { body: done, state: { ...state, irrd: { ...state.irrd, ...choice } } };
  };
}

/** What `!s` chooses; undefined when one of the sources does not exist. No name of a source has a colon. */
function choiceIn(argument: string, index: SetIndex): Partial<IrrdState> | undefined {
  const [, given = '', givenOfRoutes] = /^(.*?)(?:-ROUTES:(.*))?$/s.exec(argument)!;
  const sources = given === '' ? [] : given.split(',');
  const ofRoutes = givenOfRoutes ? index.resolve(givenOfRoutes.split(',')) : undefined;
  const all = [...index.resolve(sources), ...(ofRoutes ?? [])];
  if (!all.every((name) => index.selectable.includes(name))) return undefined;
  return {
    ...(given !== '' && { sources: [...new Set(sources)], choseSources: true }),
    ...(givenOfRoutes !== undefined && { routeSources: ofRoutes }),
  };
}

/** The names of the sources whose routes count for a connection; none of them is an alias. */
export function routeSourcesOf(
  { resolve }: Pick<SetIndex, 'resolve'>,
  { sources, routeSources }: Pick<IrrdState, 'sources' | 'routeSources'>,
): readonly string[] {
  return routeSources ?? resolve(sources);
}

/** The sources and aliases that an argument names; `-*` means all sources. */
function named(argument: string, index: SetIndex): readonly string[] {
  return argument === '-*' ? index.selectable : argument.toUpperCase().split(',');
}

/** The dependencies of `!j` and `!J`. */
export interface StatusParts {
  readonly index: SetIndex;
  readonly context: Pick<IrrdContext, 'journals' | 'routePolicy' | 'routePreference' | 'sources'>;
  /** What the mirror service knows. */
  mirrorStates(): Promise<MirrorStates>;
}

/** `!j`: the newest serial in the answers; `Y` when the client may follow the source. */
export function serials({ index, context: { journals } }: Omit<StatusParts, 'mirrorStates'>): Command {
  return (argument, state, { client }) => {
    const requested = index.resolve(named(argument, index));
    const known = requested.filter((name) => index.selectable.includes(name));
    const unknown = requested.filter((name) => !index.selectable.includes(name));
    const isFollowed = (name: string) => journals.isOpenTo(client) && journals.has(name);
    const lines = [
      ...known.map((name) => `${name}:${isFollowed(name) ? 'Y' : 'N'}:${rangeOf(index.status(name)?.serial)}`),
      ...unknown.map((name) => `${name}:X:Database unknown`),
    ];
    return { body: data(lines.join('\n')), state };
  };
}

function rangeOf(serial: bigint | undefined): string {
  return serial === undefined || serial === 0n ? '-' : `0-${serial}`;
}

/** `!J`: the state of sources as JSON. */
export function status(parts: StatusParts): Command {
  return async (argument, state, connection) => {
    const names = named(argument, parts.index);
    const [journal, states] = await Promise.all([journalOf(parts.context, names, connection), parts.mirrorStates()]);
    const described = names.map((name) => [name, describe(parts, name, journal.get(name), states)] as const);
    return { body: data(JSON.stringify(Object.fromEntries(described), undefined, 4)), state };
  };
}

/** The serials of the changes that a client may fetch, by the names of sources. */
async function journalOf(
  { journals }: Pick<Context, 'journals'>,
  names: readonly string[],
  { client, signal }: Connection,
): Promise<ReadonlyMap<string, SerialRange>> {
  const followed = journals.isOpenTo(client) ? names.filter(journals.has) : [];
  const range = followed.length > 0 ? await journals.range(signal) : undefined;
  return new Map(range === undefined ? [] : followed.map((name) => [name, range] as const));
}

function describe(
  { index, context }: StatusParts,
  name: string,
  journal: SerialRange | undefined,
  { mirrors, publications }: MirrorStates,
) {
  const aliased = context.sources.aliases?.get(name);
  if (aliased !== undefined) return { source_type: 'alias', aliased_sources: aliased };
  if (!index.selectable.includes(name)) return { error: 'Unknown source' };
  const now = index.status(name);
  const copy = mirrors.get(name);
  const published = publications.get(name);
  return {
    source_type: 'regular',
    authoritative: name === context.sources.main,
    object_class_filter: copy?.classes.length ? copy.classes : null,
    rpki_rov_filter: leavesOutInvalid(context.routePolicy(name), 'list'),
    scopefilter_enabled: false,
    route_preference: preferenceOf(name, context.routePreference),
    local_journal_kept: journal !== undefined,
    serial_oldest_journal: journal?.oldest ?? null,
    serial_newest_journal: journal?.newest ?? null,
    serial_last_export: published?.version ? Number(published.serial) : null,
    serial_newest_mirror: now === undefined ? null : Number(now.serial),
    nrtm4_client_session_id: copy?.sessionId || null,
    nrtm4_client_version: copy?.sessionId && copy.version !== undefined ? Number(copy.version) : null,
    nrtm4_server_session_id: published?.sessionId || null,
    nrtm4_server_version: published?.version ? Number(published.version) : null,
    last_update: now?.confirmed.toISOString() ?? null,
    synchronised_serials: true,
  };
}

/** The number of a source in the order, as `route_object_preference` of IRRd: the highest is the most preferred. */
function preferenceOf(name: string, ranked: readonly string[]): number | null {
  return ranked.includes(name) ? ranked.length - ranked.indexOf(name) : null;
}

/** What the mirror service knows of sources, by their names in upper case. */
interface MirrorStates {
  /** Copies of other registries. */
  readonly mirrors: ReadonlyMap<string, Mirror>;
  readonly publications: ReadonlyMap<string, Publication>;
}

/** Maximum staleness. */
const cachedMs = 5_000;
/** Timeout: the state of a source is useful without this. */
const deadlineMs = 1_000;

const unknownStates: MirrorStates = { mirrors: new Map(), publications: new Map() };

/**
 * Makes a function that calls the mirror service at most once in five seconds, for all readers. Without an answer or a
 * mirror service, it knows nothing.
 */
export function createMirrorStates(client: Backends['mirrors'], logger: Logger): () => Promise<MirrorStates> {
  if (client === undefined) return async () => unknownStates;
  const read = async (): Promise<MirrorStates> => {
    try {
      const [{ mirrors }, { publications }] = await Promise.all([
        client.listMirrors({}, { deadlineMs }),
        client.listPublications({}, { deadlineMs }),
      ]);
      return { mirrors: bySource(mirrors), publications: bySource(publications) };
    } catch (error) {
      logger.warn({ err: error }, 'the mirror service is unavailable: !J has no sessions');
      return unknownStates;
    }
  };
  return cachedFor(cachedMs, read);
}

function bySource<T extends { readonly source: string }>(all: readonly T[]): ReadonlyMap<string, T> {
  return new Map(all.map((one) => [one.source.toUpperCase(), one]));
}
