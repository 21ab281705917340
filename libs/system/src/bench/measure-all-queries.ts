import type { RegistryPlan } from '@cadastre/synthetic';
import type { BenchSettings } from './bench-settings.js';
import { type ContactResult, measureContacts } from './measure-contacts.js';
import { measureQueries, type QueryResult, waitForIndex } from './measure-queries.js';
import { measureVisibility, type VisibilityResult } from './measure-visibility.js';
import type { TestedSystem } from './tested-system.js';

const watchedWrites = 200;

/** Measurements of search and geo on a loaded registry. */
export interface Queries {
  /** How long the index took to catch up after all earlier measurements. */
  readonly indexSeconds: number;
  readonly searches: readonly QueryResult[];
  readonly visibility: VisibilityResult;
  readonly contacts: readonly ContactResult[];
}

export async function measureAllQueries(
  system: TestedSystem,
  plan: RegistryPlan,
  settings: BenchSettings,
  say: (line: string) => void,
): Promise<Queries> {
  say('Waiting for the search index');
  const indexSeconds = await waitForIndex(system, plan.source);
  const isAsked = settings.searchAdapters.includes('postgres');
  const searches = isAsked ? await measureQueries(system, plan.source, settings, say) : [];
  say('Visibility of writes');
  const visibility = await measureVisibility(system, watchedWrites);
  say('Abuse contacts');
  const contacts = await measureContacts(system, plan, settings.seconds);
  return { indexSeconds, searches, visibility, contacts };
}
