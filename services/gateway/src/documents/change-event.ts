import { type ChangeEvent, operationOf } from '@cadastre/changes';

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
