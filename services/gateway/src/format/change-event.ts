import { ChangeKind, type ListedChange } from '@cadastre/proto/objects';
import { type AddressRange, isObjectTypeName, rangeOf } from '@cadastre/rpsl';

/** A change as its readers get it, and what they may filter it by. */
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

/** What a change did; a kind that a newer service knows counts as a modification. */
export function operationOf({ kind }: ListedChange): OperationName {
  return nameOfKind[kind] ?? 'modified';
}

/** Makes the event of a change. */
export function changeEvent(change: ListedChange): ChangeEvent {
  const { serial, type, key, revision, instant } = change;
  const members = { operation: operationOf(change), type, key, revision, time: timeText(instant) };
  const data = `{"serial":${serial},${JSON.stringify(members).slice(1)}`;
  return { ...change, range: rangeOfKey(type, key), data };
}

function timeText(instant: Date | undefined): string | undefined {
  return instant && `${instant.toISOString().slice(0, 19)}Z`;
}

/** The addresses that a key names. */
function rangeOfKey(type: string, key: string): AddressRange | undefined {
  if (!isObjectTypeName(type)) return undefined;
  const isRoute = type === 'route' || type === 'route6';
  const raw = isRoute ? key.replace(/AS\d+$/i, '') : key;
  const range = rangeOf({ type, attributes: [{ name: type, raw }] });
  return range && 'family' in range ? range : undefined;
}

/*
 * Server-Sent Events (WHATWG HTML section 9.2). A line "id" is what the client sends as Last-Event-ID when it comes
 * back.
 */

/** The beginning of a stream: when to come back, and where the stream begins. */
export function openingText(serial: bigint, retryMs: number): string {
  return `retry: ${retryMs}\n${positionText(serial)}`;
}

/** An event; `object` is the JSON of its object. */
export function eventText(event: ChangeEvent, object?: string): string {
  const data = object === undefined ? event.data : `${event.data.slice(0, -1)},"object":${object}}`;
  return `id: ${event.serial}\nevent: object.${operationOf(event)}\ndata: ${data}\n\n`;
}

/** Says that a client that comes back may go on after this serial. Browsers ignore events without data. */
export function positionText(serial: bigint): string {
  return `id: ${serial}\nevent: position\ndata: {"serial":${serial}}\n\n`;
}

/** A sign of life, for clients and proxies. */
export function heartbeatText(serial: bigint): string {
  return `: ${serial}\n\n`;
}
