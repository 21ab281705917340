import type { FileKind } from './file-names.js';
import { isCount, isRecord, isSessionId } from './members.js';
import type { Read } from './notification.js';

/** The first record of a snapshot or delta. */
export interface FileHeader {
  readonly kind: FileKind;
  readonly source: string;
  readonly sessionId: string;
  readonly version: number;
}

/** One change of a delta. */
export type Change =
  /** The object (RPSL text, ends with LF) is created, or replaces the one with its key. */
  | { readonly action: 'add_modify'; readonly object: string }
  /** `primaryKey` as shown, any letter case. */
  | { readonly action: 'delete'; readonly objectClass: string; readonly primaryKey: string };

/** The member texts of the header record. */
export function headerRecord({ kind, source, sessionId, version }: FileHeader): object {
  return { nrtm_version: 4, type: kind, source, session_id: sessionId, version };
}

/** The record of an object in a snapshot; its text ends with LF. */
export function objectRecord(object: string): object {
  return { object };
}

/** The record of a change in a delta. */
export function changeRecord(change: Change): object {
  return change.action === 'add_modify'
    ? { action: change.action, object: change.object }
    : { action: change.action, object_class: change.objectClass, primary_key: change.primaryKey };
}

/** Reads the first record, and compares it with the notification (source in any letter case). */
export function readHeader(record: unknown, expected: FileHeader): Read<FileHeader> {
  if (!isRecord(record)) return { ok: false, faults: ['The first record is no header'] };
  const rules: readonly (readonly [boolean, string])[] = [
    [record.nrtm_version === 4, 'nrtm_version is not 4'],
    [record.type === expected.kind, `type is not "${expected.kind}"`],
    [isSame(record.source, expected.source), `source is not ${expected.source}`],
    [isSessionId(record.session_id) && isSame(record.session_id, expected.sessionId), 'session_id is another one'],
    [isCount(record.version) && record.version === expected.version, `version is not ${expected.version}`],
  ];
  const faults = rules.filter(([holds]) => !holds).map(([, fault]) => fault);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: expected };
}

function isSame(value: unknown, expected: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === expected.toLowerCase();
}

/** The RPSL text of a record of a snapshot. */
export function readObject(record: unknown): Read<string> {
  return isRecord(record) && typeof record.object === 'string'
    ? { ok: true, value: record.object }
    : { ok: false, faults: ['A record of the snapshot has no object'] };
}

/** The change of a record of a delta. */
export function readChange(record: unknown): Read<Change> {
  if (isRecord(record)) {
    const { action, object, object_class: objectClass, primary_key: primaryKey } = record;
    if (action === 'add_modify' && typeof object === 'string') return { ok: true, value: { action, object } };
    if (action === 'delete' && typeof objectClass === 'string' && typeof primaryKey === 'string') {
      return { ok: true, value: { action, objectClass, primaryKey } };
    }
  }
  return { ok: false, faults: ['A record of the delta is neither add_modify with an object nor delete with a key'] };
}
