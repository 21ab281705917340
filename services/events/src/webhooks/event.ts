import { type ChangeEvent, changeId, isOfTags, markOf, operationOf, timeText } from '@cadastre/changes';

/** An event: a CloudEvent 1.0 in JSON. */
export interface WebhookEvent {
  /**
   * Unique in its source, also after a restore, without a full stop (Standard Webhooks), and the same in each attempt;
   * that of `source.reloaded` has the time of its first attempt.
   */
  readonly id: string;
  /** The serial of its change; 0 for other events. */
  readonly serial: bigint;
  readonly body: string;
}

/** The registry of events: its public URL without a final slash, if it has one. */
export type EventBase = string | undefined;

/** A member of the data of an event, with its value as JSON. */
export type Member = readonly [name: string, json: string];

/** The event of a change. Its data is that of a change stream, with a link and, if the filter shows it, the object. */
export function changedEvent(
  base: EventBase,
  source: string,
  event: ChangeEvent,
  object: Member | undefined,
): WebhookEvent {
  const { serial, type, key, revision, instant } = event;
  const path = [source, type, key].map(encodeURIComponent).join('/');
  const link: Member[] = base === undefined ? [] : [['link', JSON.stringify(`${base}/${path}`)]];
  const more = [...link, ...(object ? [object] : [])].map(([name, json]) => `,"${name}":${json}`);
  const data = `${event.data.slice(0, -1)}${more.join('')}}`;
  return cloudEvent(base, source, {
    id: `${source}-${changeId(serial, markOf(instant))}`,
    serial,
    type: isOfTags(event) ? 'tags.changed' : `object.${operationOf(event)}`,
    time: instant,
    more: { subject: `${type}/${key}`, serial: Number(serial), revision },
    data,
  });
}

/** The event that shows that a URL accepts events. */
export function testEvent(base: EventBase, source: string, id: string, time: Date): WebhookEvent {
  return cloudEvent(base, source, { id: `${source}-test-${id}`, serial: 0n, type: 'webhook.test', time, data: '{}' });
}

/** The event that reports omitted changes: the receiver must read the objects again. */
export function reloadedEvent(base: EventBase, source: string, serial: bigint, time: Date): WebhookEvent {
  const id = `${source}-reloaded-${changeId(serial, markOf(time))}`;
  return cloudEvent(base, source, { id, serial: 0n, type: 'source.reloaded', time, data: `{"serial":${serial}}` });
}

interface Content {
  readonly id: string;
  readonly serial: bigint;
  /** The part of the type after the name of the registry. */
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
    time: time && timeText(time),
    datacontenttype: 'application/json',
    ...more,
  };
  return { id, serial, body: `${JSON.stringify(attributes).slice(0, -1)},"data":${data}}` };
}

/**
 * The labels of the registry's host name in reverse order: types of events are names in the namespace of their
 * producer.
 */
function typePrefix(base: EventBase): string {
  if (base === undefined) return 'cadastre';
  return new URL(base).hostname.split('.').reverse().join('.');
}
