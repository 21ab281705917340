import type { FileReference, Notification } from './notification.js';

/** The state of a follower. */
export interface Followed {
  readonly sessionId: string;
  readonly version: number;
  /** Hashes that notifications of this session have given, by `knownFile`. */
  readonly known: Readonly<Record<string, string>>;
}

/** What a follower does with a notification. */
export type Plan =
  | { readonly do: 'nothing' }
  /** Applies these, in order. */
  | { readonly do: 'deltas'; readonly deltas: readonly FileReference[] }
  /** Replaces all objects with the snapshot, and applies the deltas. */
  | {
      readonly do: 'snapshot';
      readonly because: 'first' | 'session' | 'gap';
      readonly snapshot: FileReference;
      readonly deltas: readonly FileReference[];
    }
  /** Applies nothing and alerts the operator; `faults` are sentences without a full stop. */
  | { readonly do: 'refuse'; readonly faults: readonly string[] };

/** The plan for a notification whose signature, source and form are right (draft-ietf-grow-nrtm-v4). */
export function planUpdate(notification: Notification, followed?: Followed): Plan {
  if (followed === undefined) return wholeLoad(notification, 'first');
  if (notification.sessionId !== followed.sessionId) return wholeLoad(notification, 'session');
  const faults = historyFaults(notification, followed);
  if (faults.length > 0) return { do: 'refuse', faults };
  if (notification.version === followed.version) return { do: 'nothing' };
  const deltas = after(notification, followed.version);
  return deltas[0]?.version === followed.version + 1 ? { do: 'deltas', deltas } : wholeLoad(notification, 'gap');
}

function wholeLoad(notification: Notification, because: 'first' | 'session' | 'gap'): Plan {
  const { snapshot } = notification;
  return { do: 'snapshot', because, snapshot, deltas: after(notification, snapshot.version) };
}

function after({ deltas }: Notification, version: number): FileReference[] {
  return deltas.filter((delta) => delta.version > version);
}

function historyFaults(notification: Notification, followed: Followed): string[] {
  const faults: string[] = [];
  if (notification.version < followed.version) {
    faults.push(`The notification is of version ${notification.version}, older than our ${followed.version}`);
  }
  for (const [file, hash] of Object.entries(knownFiles(notification))) {
    const before = followed.known[file];
    if (before !== undefined && before !== hash) {
      faults.push(`The publisher rewrites history: ${file} has another hash than before`);
    }
  }
  return faults;
}

/** The hashes that a notification gives, by kind and version: `Followed.known` for the next plan. */
export function knownFiles({ snapshot, deltas }: Notification): Record<string, string> {
  const files = deltas.map(({ version, hash }) => [`delta ${version}`, hash] as const);
  return Object.fromEntries([[`snapshot ${snapshot.version}`, snapshot.hash] as const, ...files]);
}
