import { type ChangeEvent, operationOf, timeText } from '@cadastre/changes';

/** An event: a CloudEvent 1.0 in JSON. */
export interface WebhookEvent {
  /** Unique in its source, without a full stop (Standard Webhooks), and the same in each attempt. */
  readonly id: string;
  /** The serial of its change; 0 for other events. */
  readonly serial: bigint;
  readonly body: string;
}

/** What events say about this registry: its public URL without a final slash, if it has one. */
export type EventBase = string | undefined;

/** Maximum length of the text of an object, in characters. */
const longestText = 64 * 1024;

/** The event of a change. Its data is that of a change stream, with a link and, if it is shown, the text. */
export function changedEvent(
  base: EventBase,
  source: string,
  event: ChangeEvent,
  text: string | undefined,
): WebhookEvent {
  const { serial, type, key, revision, instant } = event;
  const link = base === undefined ? undefined : `${base}/${[source, type, key].map(encodeURIComponent).join('/')}`;
  const more = JSON.stringify({ link, text: text !== undefined && text.length <= longestText ? text : undefined });
  const data = more === '{}' ? event.data : `${event.data.slice(0, -1)},${more.slice(1)}`;
  return cloudEvent(base, source, {
    id: `${source}-${serial}`,
    serial,
    type: `object.${operationOf(event)}`,
    time: instant,
    more: { subject: `${type}/${key}`, serial: Number(serial), revision },
    data,
  });
}

/** The event that shows that a URL accepts events. */
export function testEvent(base: EventBase, source: string, id: string, time: Date): WebhookEvent {
  return cloudEvent(base, source, { id: `${source}-test-${id}`, serial: 0n, type: 'webhook.test', time, data: '{}' });
}

/** The event that says that changes cannot be told: the receiver has to read the objects again. */
export function reloadedEvent(base: EventBase, source: string, serial: bigint, time: Date): WebhookEvent {
  const id = `${source}-reloaded-${serial}`;
  return cloudEvent(base, source, { id, serial: 0n, type: 'source.reloaded', time, data: `{"serial":${serial}}` });
}

interface Content {
  readonly id: string;
  readonly serial: bigint;
  /** The type after the name of the registry. */
  readonly type: string;
  readonly time: Date | undefined;
  readonly more?: Readonly<Record<string, string | number>>;
  /** JSON. */
  readonly data: string;
}

function cloudEvent(base: EventBase, source: string, { id, serial, type, time, more, data }: Content): WebhookEvent {
  const attributes = {
    specversion: '1.0',
    id,
    source: `${base ?? ''}/${source}`,
    type: `${typePrefix(base)}.${type}`,
    time: timeText(time),
    datacontenttype: 'application/json',
    ...more,
  };
  return { id, serial, body: `${JSON.stringify(attributes).slice(0, -1)},"data":${data}}` };
}

/** The name of the registry's host, the other way round: types of events are names in the space of their maker. */
function typePrefix(base: EventBase): string {
  if (base === undefined) return 'cadastre';
  return new URL(base).hostname.split('.').reverse().join('.');
}
