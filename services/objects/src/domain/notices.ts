import { maskObject, printObject, type RpslObject } from '@cadastre/rpsl';
import { callerOf, type KeyFingerprints, keyCertsOfCaller, ownAddressOf, type Principal } from './authenticate.js';
import type { Action, Change } from './change.js';
import type { KnownObjects } from './known-objects.js';
import { foldEmail } from './mail-address.js';
import { type Recipient, recipientsOfChange, recipientsOfRefusal, type Section, sections } from './notified-emails.js';

/** The notifications of one request (ADR 0064). */
export interface Notice {
  readonly instant: Date;
  /** Whether its changes were refused for lack of authority. */
  readonly refused: boolean;
  /** Who made the request (`callerOf`): bounds on mails count by it. */
  readonly caller: string;
  /** The caller's own address (folded), which the identity provider has verified; empty without one. */
  readonly ownAddress: string;
  /** The caller's name for people; empty without one. */
  readonly changedBy: string;
  /** Empty when the caller must get no reply. */
  readonly replyTo: string;
  /** IP address of the client; empty when unknown. */
  readonly clientAddress: string;
  readonly changes: readonly NoticedChange[];
  /** The addresses of each change (`maxRecipients`); then at most `maxUnreachable` values that are not addresses. */
  readonly recipients: readonly NoticeRecipient[];
}

/** A change, with references to its stored texts. */
export interface NoticedChange {
  readonly operation: Action;
  readonly type: string;
  /** Folded. */
  readonly key: string;
  /** Revision of the state before; 0 for a new object. */
  readonly before: number;
  /** Revision of the state after; 0 for a deletion and for a refused change. */
  readonly after: number;
  readonly reason: string;
  /** Characters of both stored texts; 0: too many, and the notifications show none. */
  readonly size: number;
  /** The masked state that a refused change should have stored: it is stored nowhere else. */
  readonly wanted?: string;
}

/** An address with the changes of its mail, in their order. */
interface NoticeRecipient {
  readonly address: string;
  /** The form of the address in marks. */
  readonly folded: string;
  readonly entries: readonly { readonly section: Section; readonly change: number }[];
}

/** A change of a request, and its states in the database. */
interface NoticeableChange {
  readonly change: Pick<Change, 'action' | 'object' | 'stored'>;
  readonly key: string;
  /** The stored row of the key, also of a deleted object. */
  readonly row: { readonly revision: number; readonly deleted: boolean; readonly text: string } | undefined;
  readonly reason: string;
}

/** Maximum recipients of a change, besides the first address of each object; rule G-NOTIFY-MANY bounds these. */
const maxRecipients = 100;

/** Maximum stored values of a request that are not addresses, so that operators see them. */
const maxUnreachable = 10;
const maxAddressLength = 320;

/** Maximum characters of the texts of one change, and of one notice, that notifications show. */
const maxChangeSize = 200_000;
const maxNoticeSize = 1_000_000;

/** The same for the wanted states of refused changes, which are stored once more. */
const maxWantedSize = 10_000;
const maxAllWantedSize = 50_000;

const maxReasonLength = 1_000;

/** Maximum key-certs that a notice names as its caller's. */
const maxNamedKeyCerts = 3;

/**
 * The notice of changes that are made together; undefined without recipients. `known` are the objects that they name.
 */
export function noticeOfChanges(
  changes: readonly NoticeableChange[],
  known: KnownObjects,
  request: NoticedRequest,
): Notice | undefined {
  const recipients = recipientsOf(changes, (change) => recipientsOfChange(change, known));
  if (recipients.length === 0) return undefined;
  const noticed = changes.map(({ change, key, row, reason }) => {
    const { action, object } = change;
    const revision = row?.revision ?? 0;
    return {
      operation: action,
      type: object.type,
      key,
      before: action === 'create' ? 0 : revision,
      after: action === 'delete' ? 0 : revision + 1,
      reason: singleLine(reason),
      size: (action === 'create' ? 0 : row!.text.length) + (action === 'delete' ? 0 : lengthOf(object)),
    };
  });
  return { ...senderOf(request), refused: false, changes: withinSize(noticed), recipients };
}

/** The notice of changes that were refused for lack of authority; otherwise like `noticeOfChanges`. */
export function noticeOfRefusals(
  changes: readonly NoticeableChange[],
  known: KnownObjects,
  request: NoticedRequest,
): Notice | undefined {
  const recipients = recipientsOf(changes, (change) => recipientsOfRefusal(change, known));
  if (recipients.length === 0) return undefined;
  let left = maxAllWantedSize;
  const noticed = changes.map(({ change, key, row, reason }) => {
    const { action, object } = change;
    const hasState = row !== undefined && !row.deleted;
    const length = action === 'delete' ? 0 : lengthOf(object);
    const fits = length <= Math.min(maxWantedSize, left);
    if (fits) left -= length;
    return {
      operation: action,
      type: object.type,
      key,
      before: action !== 'create' && hasState ? row.revision : 0,
      after: 0,
      reason: singleLine(reason),
      size: fits ? length + (action !== 'create' && hasState ? row.text.length : 0) : maxChangeSize + 1,
      ...(fits && length > 0 && { wanted: printObject(maskObject(object)) }),
    };
  });
  return { ...senderOf(request), refused: true, changes: withinSize(noticed), recipients };
}

/** Who made a request, from where, and when. */
interface NoticedRequest {
  readonly principal: Principal;
  /** Of the key-certs that the mntners and irts of the request name. */
  readonly keys: KeyFingerprints;
  /** IP address of the client; empty when unknown. */
  readonly clientAddress: string;
  readonly now: Date;
}

function senderOf(request: NoticedRequest) {
  const { principal, keys, clientAddress, now: instant } = request;
  const { accountName, credentials } = principal;
  const isPerson = credentials.includes('session') || credentials.includes('bearer token');
  return {
    instant,
    caller: callerOf(request),
    ownAddress: ownAddressOf(principal),
    changedBy: namesOf(principal, keys).join(', '),
    replyTo: isPerson ? accountName : '',
    clientAddress,
  };
}

/** The account, with its credential unless that is a session, and the key-certs of the caller's keys. */
function namesOf(principal: Principal, keys: KeyFingerprints): string[] {
  const { accountName, apiKeyId, credentials } = principal;
  const proof = apiKeyId ? ` (API key ${apiKeyId})` : credentials.includes('bearer token') ? ' (OAuth)' : '';
  const keyCerts = keyCertsOfCaller(principal, keys).slice(0, maxNamedKeyCerts);
  return accountName === '' ? keyCerts : [`${accountName}${proof}`, ...keyCerts];
}

function recipientsOf(
  changes: readonly NoticeableChange[],
  namedBy: (change: NoticeableChange['change']) => Recipient[],
): NoticeRecipient[] {
  type Notified = { address: string; reported: Map<string, { section: Section; change: number }> };
  const reachable = new Map<string, Notified>();
  const unreachable = new Map<string, Notified>();
  for (const [at, { change }] of changes.entries()) {
    const ofChange = new Set<string>();
    for (const { address, section, isAddress, isFirst } of namedBy(change)) {
      const folded = foldEmail(address).slice(0, maxAddressLength);
      const [recipients, isFull] = isAddress
        ? [reachable, !isFirst && ofChange.size >= maxRecipients]
        : [unreachable, unreachable.size === maxUnreachable];
      if (isFull && !(isAddress ? ofChange : unreachable).has(folded)) continue;
      if (isAddress) ofChange.add(folded);
      const recipient = recipients.get(folded) ?? { address: address.slice(0, maxAddressLength), reported: new Map() };
      recipient.reported.set(`${section} ${at}`, { section, change: at });
      recipients.set(folded, recipient);
    }
  }
  return [...reachable, ...unreachable].map(([folded, recipient]) => ({
    address: recipient.address,
    folded,
    entries: [...recipient.reported.values()].sort((a, b) => sections.indexOf(a.section) - sections.indexOf(b.section)),
  }));
}

/** Omits the texts of large changes, and those after too many others. */
function withinSize(changes: readonly NoticedChange[]): NoticedChange[] {
  let left = maxNoticeSize;
  return changes.map((change) => {
    const fits = change.size <= Math.min(maxChangeSize, left);
    if (fits) left -= change.size;
    return fits ? change : { ...change, size: 0 };
  });
}

function lengthOf({ attributes }: RpslObject): number {
  return attributes.reduce((sum, { name, raw }) => sum + name.length + raw.length, 0);
}

function singleLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').slice(0, maxReasonLength);
}
