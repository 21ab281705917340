import { ChangeKind, type ListedChange } from '@cadastre/proto/objects';
import { type AddressRange, rangeOfKey } from '@cadastre/rpsl';

/** A change as readers get it, with the fields by which they may filter. */
export interface ChangeEvent extends ListedChange {
  /** The address space that the object covers; undefined for other objects. */
  readonly range: AddressRange | undefined;
  /** The data of the event without the object: one line of JSON. */
  readonly data: string;
}

/** The kinds of changes, as events and filters name them. */
export const operationNames = ['created', 'modified', 'deleted'] as const;
export type OperationName = (typeof operationNames)[number];

const nameOfKind: Partial<Record<ChangeKind, OperationName>> = {
  [ChangeKind.CHANGE_KIND_CREATED]: 'created',
  [ChangeKind.CHANGE_KIND_DELETED]: 'deleted',
};

/** The operation of a change. A kind that only a newer service knows counts as a modification. */
export function operationOf({ kind }: ListedChange): OperationName {
  return nameOfKind[kind] ?? 'modified';
}

/** Whether a change modified only the tags of the object. Filters and streams call it a modification. */
export function isOfTags({ kind }: ListedChange): boolean {
  return kind === ChangeKind.CHANGE_KIND_TAGS;
}

export function changeEvent(change: ListedChange): ChangeEvent {
  const { serial, type, key, revision, instant } = change;
  const members = { operation: operationOf(change), type, key, revision, time: instant && timeText(instant) };
  const data = `{"serial":${serial},${JSON.stringify(members).slice(1)}`;
  return { ...change, range: rangeOfKey(type, key), data };
}

/**
 * What distinguishes a change from another one with its serial, which a registry gives away again after it was restored
 * to an earlier state (ADR 0002): its second. Empty when it is not known.
 */
export function markOf(instant: Date | undefined): string {
  return instant === undefined ? '' : Math.floor(instant.getTime() / 1000).toString(36);
}

/** The identifier of a change for others, unique for ever: `4711-t87v6t`. */
export function changeId(serial: bigint, mark: string): string {
  return mark === '' ? `${serial}` : `${serial}-${mark}`;
}

/** A time to the second, in UTC: `2026-01-31T12:00:00Z`. */
export function timeText(instant: Date): string {
  return `${instant.toISOString().slice(0, 19)}Z`;
}
