import {
  ChangeFeedServiceService,
  ChangeKind,
  type ClaimedWebhook,
  type ListedChange,
  LookupStatus,
  ObjectReaderServiceService,
  SourceKind,
  type Webhook,
  WebhookPayload,
  type WebhookProperties,
  WebhookServiceService,
  type WebhookSettlement,
  WebhookSignature,
  WebhookState,
} from '@cadastre/proto/objects';
import { type RegistryObject, View } from '@cadastre/proto/registry';
import { ServiceError } from '@cadastre/service';
import { inMemoryClient } from '@cadastre/service/testing';
import type { Objects } from '../src/objects-client.js';
import { outboxOf } from './outbox.fixture.js';

const unused = () => {
  throw new ServiceError('internal', 'not used');
};

export const secret = Buffer.alloc(32, 1);

/** A registry with the source TEST and webhooks, in memory. Its clock is fixed. */
export interface WebhookRegistry extends Objects {
  readonly settlements: WebhookSettlement[];
  /** The objects that filtered lookups find, by their keys. */
  readonly objects: Map<string, RegistryObject>;
  /** Adds an active webhook; returns its identifier. */
  add(properties: Partial<WebhookProperties>, webhook?: Partial<Webhook>, claimed?: Partial<ClaimedWebhook>): string;
  /** A webhook as it is now. */
  get(id: string): ClaimedWebhook;
  change(...changes: Partial<ListedChange>[]): void;
  /** Removes the changes up to a serial. */
  remove(upTo: bigint): void;
  /** Restores the registry to an earlier state. */
  restore(to: bigint): void;
  readonly now: () => Date;
  /** Advances the clock. */
  advance(seconds: number): void;
  /** Called with each settlement before it is stored; may throw. */
  beforeSettled(settlement: WebhookSettlement): void;
}

interface Hook {
  claimed: ClaimedWebhook;
  due: number;
}

export function webhookRegistry(): WebhookRegistry {
  const start = Date.now();
  let now = 0;
  let removed = 0n;
  const changes: ListedChange[] = [];
  const newest = () => BigInt(changes.length);
  const hooks = new Map<string, Hook>();
  const settlements: WebhookSettlement[] = [];
  const objects = new Map<string, RegistryObject>();
  const waits = (hook: Hook) => {
    const { webhook, requested, tellOwner } = hook.claimed;
    const isActive = webhook?.state === WebhookState.WEBHOOK_STATE_ACTIVE;
    return (
      requested.length > 0 ||
      tellOwner ||
      webhook?.state === WebhookState.WEBHOOK_STATE_UNCONFIRMED ||
      (isActive && webhook.serial !== newest())
    );
  };
  const apply = (settlement: WebhookSettlement) => {
    const hook = hooks.get(settlement.id);
    if (hook?.claimed.claim !== settlement.claim) return false;
    const { serial, failures, confirmed, gone, requested, releaseSeconds, ownerTold } = settlement;
    const webhook = { ...hook.claimed.webhook!, serial, failures };
    if (confirmed) webhook.state = WebhookState.WEBHOOK_STATE_ACTIVE;
    if (gone) webhook.state = WebhookState.WEBHOOK_STATE_DISABLED;
    hook.claimed = {
      ...hook.claimed,
      webhook,
      requested: hook.claimed.requested.filter((one) => one !== requested),
      tellOwner: hook.claimed.tellOwner && !ownerTold,
    };
    if (releaseSeconds !== undefined) hook.due = now + releaseSeconds;
    return true;
  };
  const registry: WebhookRegistry = {
    settlements,
    objects,
    outbox: outboxOf([]),
    webhooks: inMemoryClient(WebhookServiceService, {
      claimWebhooks: async ({ limit, leaseSeconds }) => {
        const due = [...hooks.values()].filter((one) => one.due <= now && waits(one)).slice(0, limit);
        for (const one of due) {
          one.due = now + leaseSeconds;
          one.claimed = { ...one.claimed, claim: one.claimed.claim + 1 };
        }
        return { webhooks: due.map(({ claimed }) => claimed) };
      },
      settleWebhooks: async ({ settlements: sent }) => {
        for (const one of sent) registry.beforeSettled(one);
        const ended = sent.filter((one) => !apply(one)).map(({ id }) => id);
        settlements.push(...sent.filter(({ id }) => !ended.includes(id)));
        return { ended };
      },
      createWebhook: unused,
      listWebhooks: unused,
      listAllWebhooks: unused,
      getWebhook: unused,
      updateWebhook: unused,
      deleteWebhook: unused,
      rotateWebhookSecret: unused,
      listWebhookAttempts: unused,
      resendWebhook: unused,
    }),
    feed: inMemoryClient(ChangeFeedServiceService, {
      watch: unused,
      listChanges: async ({ afterSerial: after }) => {
        if (after < removed) return { changes: [], serial: after, newest: newest(), removed: true };
        const page = changes.slice(Number(after), Number(after) + 500);
        return { changes: page, serial: page.at(-1)?.serial ?? after, newest: newest(), removed: false };
      },
    }),
    reader: inMemoryClient(ObjectReaderServiceService, {
      listSources: async () => ({
        sources: [{ name: 'TEST', kind: SourceKind.SOURCE_KIND_MAIN, serial: newest() }],
      }),
      batchLookup: async ({ lookups }) => ({
        answers: lookups.map(({ key, view }) => {
          const object = view === View.VIEW_FILTERED ? objects.get(key!.key) : undefined;
          return object
            ? { status: LookupStatus.LOOKUP_STATUS_FOUND, object }
            : { status: LookupStatus.LOOKUP_STATUS_NOT_FOUND };
        }),
      }),
      batchLookupPast: unused,
      findPast: unused,
      listVersions: unused,
      getVersion: unused,
      listReferences: unused,
      findKeyCerts: unused,
      listOwnMaintainers: unused,
      exportObjects: unused as never,
    }),
    close: () => {},
    add(properties, webhook = {}, claimed = {}) {
      const id = `hook${hooks.size}`;
      const none = { url: '', description: '', source: 'TEST', filter: undefined, disabled: false };
      const payload = WebhookPayload.WEBHOOK_PAYLOAD_KEYS;
      const signature = WebhookSignature.WEBHOOK_SIGNATURE_V1;
      const state = WebhookState.WEBHOOK_STATE_ACTIVE;
      const made = {
        ...{ id, state, reason: '', serial: 0n, failures: 0, publicKey: '', ...webhook },
        properties: { ...none, payload, signature, ...properties },
      };
      const nothing = { requested: [], tellOwner: false, askedTo: 0n };
      const given = { claim: 0, accountName: 'a@example.org', secrets: [secret], ...nothing };
      hooks.set(id, { claimed: { ...given, ...claimed, webhook: made }, due: now });
      return id;
    },
    get: (id) => hooks.get(id)!.claimed,
    change(...more) {
      for (const change of more) {
        const serial = newest() + 1n;
        const kind = ChangeKind.CHANGE_KIND_MODIFIED;
        const of = { type: 'route', key: `192.0.2.0/24AS${serial}`, revision: 2 };
        const instant = registry.now();
        changes.push({ serial, kind, ...of, instant, maintainers: ['A-MNT'], maintainersIncomplete: false, ...change });
      }
    },
    remove(upTo) {
      removed = upTo;
    },
    restore(to) {
      changes.length = Number(to);
    },
    now: () => new Date(start + now * 1000),
    advance(seconds) {
      now += seconds;
    },
    beforeSettled: () => {},
  };
  return registry;
}
