import type { Message } from '@cadastre/proto/registry';
import { type Flag, modeFlags, shownFlag } from './flags.js';
import { queryMessages } from './query-messages.js';

const versionFlags = ['list-versions', 'diff-versions', 'show-version'] as const;

/** The flags that a query for versions may also have. */
const besideVersions: ReadonlySet<Flag> = new Set(['select-types', 'persistent-connection', 'client', 'charset']);

/** Flags, each with those that it excludes, in the order of the checks. */
const exclusions: readonly (readonly [Flag, readonly Flag[]])[] = [
  ['abuse-contact', ['brief', 'no-filtering', 'no-referenced', 'primary-keys']],
  ['resource', ['sources', 'all-sources', 'inverse']],
  ['valid-syntax', ['no-valid-syntax', ...versionFlags]],
];

/** What is wrong with more than one flag about the hierarchy of addresses. */
export function modeConflictOf(flags: ReadonlySet<Flag>): Message | undefined {
  return modeFlags.filter((mode) => flags.has(mode)).length > 1 ? queryMessages.duplicateModes() : undefined;
}

/** The first other invalid combination of flags, if any (queries.md 1.4). Parameters that replace a flag count as that flag. */
export function conflictOf(flags: ReadonlySet<Flag>): Message | undefined {
  for (const [flag, others] of exclusions) {
    const other = flags.has(flag) ? others.find((one) => flags.has(one)) : undefined;
    if (other !== undefined) return queryMessages.conflictingFlags(shownFlag(flag), shownFlag(other));
  }
  const version = versionFlags.find((flag) => flags.has(flag));
  const other = version && [...flags].find((flag) => flag !== version && !besideVersions.has(flag));
  return other && queryMessages.conflictingFlags(shownFlag(version!), shownFlag(other));
}
