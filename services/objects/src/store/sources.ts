import { asciiUpperCase } from '@cadastre/rpsl';
import type { Db } from './stored-object.js';

export type SourceKind = 'main' | 'grs';

export interface Source {
  readonly id: number;
  /** Upper case. */
  readonly name: string;
  readonly kind: SourceKind;
}

/** The sources that this registry serves. */
export interface Sources {
  readonly main: Source;
  /** The main source first, then the others by name. */
  readonly all: readonly Source[];
  /** Ignores letter case. */
  byName(name: string): Source | undefined;
}

/** Gives every configured source a permanent row; hides sources that are no longer configured. */
export async function ensureSources(db: Db, mainName: string, grsNames: readonly string[]): Promise<Sources> {
  const main = mainName.toUpperCase();
  const names = [main, ...grsNames.map((name) => name.toUpperCase()).filter((name) => name !== main)];
  await db.query(
    `insert into source (name, kind)
     select name, case name when $2 then 'main' else 'grs' end from unnest($1::text[]) as name
     on conflict (name) do nothing`,
    [names, main],
  );
  // Does not lock the row of an unchanged source: a load may hold it for minutes.
  await db.query(
    `update source set kind = case name when $2 then 'main' else 'grs' end
     where name = any ($1) and kind <> case name when $2 then 'main' else 'grs' end`,
    [names, main],
  );
  const { rows } = await db.query<Source>(
    `select id, name, kind from source where name = any ($1) order by kind = 'main' desc, name`,
    [names],
  );
  return asSources(rows);
}

function asSources(all: readonly Source[]): Sources {
  const main = all.find((source) => source.kind === 'main');
  if (main === undefined) throw new Error('the main source has no row');
  const byName = new Map(all.map((source) => [source.name, source]));
  return { main, all, byName: (name) => byName.get(name) ?? byName.get(asciiUpperCase(name)) };
}

/** The state of the feed of a source. */
interface SourceState {
  /** The serial of the newest committed change; 0 before the first. */
  readonly serial: bigint;
  /** Its time; undefined when the registry no longer has it. */
  readonly instant: Date | undefined;
  /** The serial of the oldest change that the feed still has; undefined when it has none. */
  readonly oldestSerial: bigint | undefined;
  /** Since when readers see a part of a replacing load that is not finished (`staged.ts`). */
  readonly replacingSince: Date | undefined;
}

/** The states of all sources, by their numbers. */
export async function sourceStates(db: Db): Promise<Map<number, SourceState>> {
  const { rows } = await db.query<StateRow>({
    name: 'source-states',
    text: `select s.id, s.serial, c.instant, r.since,
             (select serial from change where source_id = s.id order by serial limit 1) as oldest
           from source s
           left join change c on c.source_id = s.id and c.serial = s.serial
           left join replacing_load r on r.source_id = s.id and r.visible`,
  });
  return new Map(rows.map((row) => [row.id, stateOf(row)]));
}

interface StateRow {
  id: number;
  serial: bigint;
  instant: Date | null;
  since: Date | null;
  oldest: bigint | null;
}

function stateOf({ serial, instant, since, oldest }: StateRow): SourceState {
  return {
    serial,
    instant: instant ?? undefined,
    oldestSerial: oldest ?? undefined,
    replacingSince: since ?? undefined,
  };
}
