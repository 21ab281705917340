import type { KnownSources } from '@cadastre/query';
import type { FindConflict, RoutePolicy, ShowRoute, ValidateRoute } from '@cadastre/roa';
import type { AnswerMemory, Turns } from '@cadastre/service';
import type { Annotators } from './annotations/annotate.js';
import type { SearchIndex } from './index-port.js';
import type { Indexer } from './indexer/indexer.js';
import type { CountFirstPage } from './metrics.js';
import type { Registry } from './resources/references.js';
import type { LargePages } from './run/large-pages.js';
import type { ReadPast } from './run/past.js';

/** The dependencies of the RPC handlers; service.ts creates it. */
export interface Context {
  readonly sources: KnownSources;
  readonly index: SearchIndex;
  readonly indexer: Indexer;
  readonly turns: Turns;
  readonly largePages: LargePages;
  /** Memory of the pages of streams that their readers have not read yet. */
  readonly untakenPages: AnswerMemory;
  readonly readPast: ReadPast;
  readonly annotators: Omit<Annotators, 'index'>;
  /** For abuse contacts, holders and locations of resources. */
  readonly registry: Registry;
  readonly validateRoute: ValidateRoute;
  readonly findConflict: FindConflict;
  /** Decides which routes an answer shows. */
  readonly showRoute: ShowRoute;
  readonly routePolicy: RoutePolicy;
  readonly countFirstPage: CountFirstPage;
}

/** Every indexed source, the main one first. */
export function allSources({ main, mirrors }: KnownSources): readonly string[] {
  return [main, ...mirrors];
}
