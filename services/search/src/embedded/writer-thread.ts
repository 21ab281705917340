// Writes files: each function is a task of a thread. The thread closes its connections only on request.
import { renameSync, rmSync } from 'node:fs';
import type { FeedPosition } from '@cadastre/changes';
import type { Batch, IndexDocument } from '../index-port.js';
import { applyChanges, fillCopy } from './documents.js';
import { insertState, type NewFile, readState, storePosition } from './state.js';
import { createTables, fileEnds, indexSteps, openTables, type Tables } from './tables.js';

const open = new Map<string, Tables>();

function tablesOf(file: string): Tables {
  const known = open.get(file);
  if (known !== undefined) return known;
  const tables = openTables(file, { readOnly: false });
  open.set(file, tables);
  return tables;
}

/** Makes a new file together with its state, in one step, because other threads search for files meanwhile. */
export function create(file: string, state: NewFile): void {
  const unfinished = `${file}.new`;
  for (const end of fileEnds) rmSync(unfinished + end, { force: true });
  const tables = openTables(unfinished, { readOnly: false });
  try {
    tables.writing(() => {
      createTables(tables);
      insertState(tables, state);
    });
  } finally {
    tables.close();
  }
  renameSync(unfinished, file);
}

/** Adds a page of an export. */
export function fill(file: string, documents: readonly IndexDocument[], exported: string | undefined): void {
  const tables = tablesOf(file);
  tables.writing(() => {
    fillCopy(tables, documents);
    tables.run(
      'update state set exported = ?, objects = objects + ?, advanced = ?, failure = null',
      ...[exported ?? null, documents.length, Date.now()],
    );
  });
}

/** Builds the indexes of the filled tables; resumes after an interrupted call. */
export function buildIndexes(file: string): void {
  const tables = tablesOf(file);
  const enter = (phase: string) => tables.run('update state set phase = ?, advanced = ?', phase, Date.now());
  enter('indexes');
  for (const step of indexSteps) tables.exec(step);
  tables.exec('analyze');
  enter('changes');
}

/** Applies changes; returns false, without applying any, when changes before them are missing. */
export function apply(file: string, batch: Batch): boolean {
  const tables = tablesOf(file);
  return tables.writing(() => {
    const { serial } = readState(tables).position;
    if (serial < batch.after) return false;
    if (batch.serial <= serial) {
      tables.run('update state set reached = ?', Date.now());
      return true;
    }
    storePosition(tables, batch, applyChanges(tables, batch));
    return true;
  });
}

/** Applies changes to a copy, even those that it already has. */
export function applyToCopy(file: string, changes: Omit<Batch, 'after'>): void {
  const tables = tablesOf(file);
  tables.writing(() => {
    const gained = applyChanges(tables, changes);
    const { position } = readState(tables);
    storePosition(tables, changes.serial < position.serial ? position : changes, gained);
  });
}

/** Makes a copy an index that queries may see, at a position, and flushes it to the disk. */
export function finish(file: string, reached: FeedPosition): void {
  const tables = tablesOf(file);
  tables.exec('pragma synchronous = full');
  tables.writing(() => {
    storePosition(tables, reached, 0);
    tables.run("update state set phase = 'finished'");
  });
  tables.exec('pragma synchronous = normal; pragma wal_checkpoint(truncate)');
}

/** Stores why a copy waits. */
export function note(file: string, failure: string): void {
  tablesOf(file).run('update state set failure = ?', failure);
}

export function close(file: string): void {
  open.get(file)?.close();
  open.delete(file);
}

export function closeAll(): void {
  for (const file of open.keys()) close(file);
}
