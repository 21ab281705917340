import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  isPublicKey,
  isRecord,
  knownFiles,
  maxNotificationBytes,
  type Notification,
  planUpdate,
  readNotification,
  samePublicKey,
  verifyNotification,
} from '@cadastre/nrtm';
import type { Classes } from '../classes.js';
import { fetchText } from '../download.js';
import {
  type Checked,
  type Mirrored,
  MirrorFault,
  type Origin,
  type Progress,
  type ReadOrigin,
  TooManyChanges,
} from '../origin.js';
import { classesFaults, classesOf, flagFaults, sourceFaults, unknownFaults, urlFaults } from '../origin-members.js';
import { type Reach, reachOf } from '../reach.js';
import { type ApplyFile, applyDelta, loadSnapshot } from './apply-file.js';
import type { Nrtm4State } from './state.js';

/** The operator's configuration of an origin. */
export interface Nrtm4Options {
  /** URL of the Update Notification File. */
  readonly url: URL;
  /** The source's name there. */
  readonly source: string;
  /** The first public key (PEM). */
  readonly key: string;
  readonly classes?: Classes;
  readonly reach: Reach;
}

/** A follower checks at most once a minute. */
const everyMs = 60_000;

/** A publisher renews its notification at least daily. */
const maxSilenceMs = 24 * 3_600_000;

/** A registry that publishes by NRTM version 4. */
export function nrtm4Origin(options: Nrtm4Options): Origin {
  return {
    kind: 'nrtm4',
    address: options.url.href,
    originSource: options.source,
    ownNetwork: options.reach.ownNetwork,
    classes: options.classes,
    warnings: [],
    everyMs,
    update: (state, mirrored) => update(options, state as Nrtm4State | undefined, mirrored),
  };
}

/** A notification with a valid signature, and its effect on the keys. */
interface Trusted {
  readonly notification: Notification;
  readonly key: string;
  /** Of the signed file. */
  readonly signedHash: string;
  readonly tag?: string | undefined;
}

async function update(options: Nrtm4Options, stored: Nrtm4State | undefined, mirrored: Mirrored): Promise<Checked> {
  const state = withConfiguredKey(stored, options.key);
  const trusted = await readTrusted(options, state, mirrored);
  if (trusted === undefined) return checked(new Date(state!.timestamp), mirrored);
  const { notification } = trusted;
  requireProgress(notification, state);
  const plan = planUpdate(notification, state && { ...state, known: await mirrored.storedFiles() });
  if (plan.do === 'refuse') throw new MirrorFault('refused', plan.faults.join('; '));
  const save = (version: number, applied?: Progress['applied']) =>
    mirrored.save(progressAt(version, options, trusted, applied));
  if (plan.do === 'nothing') await save(notification.version);
  else if (plan.do === 'deltas') await applyDeltas(options, trusted, plan.deltas, mirrored, save);
  else {
    const { because, snapshot } = plan;
    mirrored.logger.info({ source: mirrored.source, because, version: snapshot.version }, 'loads snapshot');
    await save(snapshot.version, await loadSnapshot(fileOf(options, trusted), snapshot, mirrored));
    await applyDeltas(options, trusted, plan.deltas, mirrored, save);
  }
  return checked(notification.timestamp, mirrored);
}

/** Another configured key overrides: the keys that followed the old one are invalid. */
function withConfiguredKey(state: Nrtm4State | undefined, configuredKey: string): Nrtm4State | undefined {
  if (state === undefined || samePublicKey(state.configuredKey, configuredKey)) return state;
  const { nextKey: _next, tag: _tag, signedHash: _hash, ...rest } = state;
  return { ...rest, configuredKey, key: configuredKey, signedHash: '' };
}

/** The notification; undefined when all its files are applied already. */
async function readTrusted(
  { url, source, key: firstKey, reach }: Nrtm4Options,
  state: Nrtm4State | undefined,
  { signal }: Mirrored,
): Promise<Trusted | undefined> {
  const isComplete = state !== undefined && state.version === state.notifiedVersion;
  const tag = isComplete ? state.tag : undefined;
  const fetched = await fetchText(url, reach, { maxBytes: maxNotificationBytes, signal, tag });
  if (!fetched.isNew) return undefined;
  const signedHash = hash('sha256', fetched.text);
  if (isComplete && signedHash === state.signedHash) return undefined;
  const { key = firstKey, nextKey } = state ?? {};
  const verified = await verifyNotification(fetched.text, nextKey === undefined ? [key] : [key, nextKey]);
  if (verified === undefined) throw new MirrorFault('refused', `${url.href} is not signed by a key that we know`);
  const read = readNotification(verified.payload);
  const faults = read.ok ? contentFaults(read.value, source) : read.faults;
  if (!read.ok || faults.length > 0) throw new MirrorFault('refused', `${url.href}: ${faults.join('; ')}`);
  return { notification: read.value, key: verified.publicKey, signedHash, tag: fetched.tag };
}

function contentFaults({ source, nextSigningKey }: Notification, expected: string): string[] {
  return [
    ...(source.toUpperCase() === expected.toUpperCase() ? [] : [`It is of the source ${source}, not ${expected}`]),
    ...(nextSigningKey === undefined || isPublicKey(nextSigningKey)
      ? []
      : ['next_signing_key is no public key on P-256']),
  ];
}

/** An attacker may send the notification of an old session, which has a valid signature. */
function requireProgress({ sessionId, timestamp }: Notification, state: Nrtm4State | undefined): void {
  if (state === undefined || sessionId === state.sessionId || timestamp.getTime() > Date.parse(state.timestamp)) return;
  throw new MirrorFault('refused', `The new session ${sessionId} is older than what we have of ${state.sessionId}`);
}

function fileOf({ url, reach, classes }: Nrtm4Options, { notification }: Trusted): ApplyFile {
  return { notificationUrl: url, reach, classes, source: notification.source, sessionId: notification.sessionId };
}

async function applyDeltas(
  options: Nrtm4Options,
  trusted: Trusted,
  deltas: Notification['deltas'],
  mirrored: Mirrored,
  save: (version: number, applied: Progress['applied']) => Promise<void>,
): Promise<void> {
  const { snapshot } = trusted.notification;
  let reached = 0;
  for (const delta of deltas) {
    if (delta.version <= reached) continue;
    try {
      await save(delta.version, await applyDelta(fileOf(options, trusted), delta, mirrored));
    } catch (error) {
      requireReplacement(error, delta.version, snapshot.version, mirrored);
      await save(snapshot.version, await loadSnapshot(fileOf(options, trusted), snapshot, mirrored));
      reached = snapshot.version;
    }
  }
}

/** After this many faults in a row the snapshot replaces a missing delta. */
const maxFaults = 3;

/** Throws unless the snapshot replaces the delta. */
function requireReplacement(error: unknown, version: number, snapshotVersion: number, { faults }: Mirrored): void {
  const isMissing = error instanceof MirrorFault && error.kind === 'transient' && faults >= maxFaults;
  if (!isMissing && !(error instanceof TooManyChanges)) throw error;
  if (snapshotVersion >= version) return;
  if (isMissing) throw error;
  const reason = `Delta ${version} is too large, and no snapshot has it yet: ${error.message}`;
  throw new MirrorFault('refused', reason, { cause: error });
}

function progressAt(
  version: number,
  { key: configuredKey }: Nrtm4Options,
  { notification, key, signedHash, tag }: Trusted,
  applied: Progress['applied'],
): Progress {
  const { sessionId, nextSigningKey: nextKey, timestamp } = notification;
  const state: Nrtm4State = {
    sessionId,
    version,
    notifiedVersion: notification.version,
    timestamp: timestamp.toISOString(),
    configuredKey,
    key,
    ...(nextKey === undefined || samePublicKey(nextKey, key) ? {} : { nextKey }),
    signedHash,
    ...(tag === undefined ? {} : { tag }),
  };
  return { state, files: knownFiles(notification), sessionId, version, ...(applied && { applied }) };
}

function checked(publishedAt: Date, { now, logger, source }: Mirrored): Checked {
  const silentMs = now().getTime() - publishedAt.getTime();
  if (silentMs > maxSilenceMs) logger.warn({ source, publishedAt }, 'publisher has been silent for a day');
  return { publishedAt };
}

const members = ['url', 'source', 'key', 'classes', 'ownNetwork'];

/**
 * Reads `{"url", "source", "key", "classes"?, "ownNetwork"?}`: the URL of an Update Notification File (https or file;
 * also http with `ownNetwork`), the source's name there, the first public key (PEM, or a file that has it), the classes
 * to follow (default "all"), and whether the origin is in the operator's own network.
 */
export const readNrtm4Origin: ReadOrigin = (given, _source, proxy) => {
  if (!isRecord(given)) return { ok: false, faults: ['must be an object'] };
  const { url, source, key, classes = 'all', ownNetwork = false, ...others } = given;
  const faults = [
    ...unknownFaults(others, members),
    ...urlFaults('url', url, ownNetwork === true),
    ...sourceFaults(source),
    ...classesFaults(classes),
    ...flagFaults('ownNetwork', ownNetwork),
  ];
  const pem = typeof key === 'string' ? pemOf(key) : undefined;
  if (pem === undefined) faults.push('key: must be a public key (PEM, P-256) or a file that has one');
  if (faults.length > 0 || pem === undefined) return { ok: false, faults };
  const reach = reachOf(ownNetwork === true, proxy);
  const named = { url: new URL(url as string), source: source as string, key: pem };
  return { ok: true, value: nrtm4Origin({ ...named, classes: classesOf(classes), reach }) };
};

function pemOf(key: string): string | undefined {
  const text = key.trimStart().startsWith('-----BEGIN') ? key : readFileOrNothing(key);
  return text !== undefined && isPublicKey(text) ? text : undefined;
}

function readFileOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
