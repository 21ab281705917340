import { factsOf, type Resource } from '../route.js';
import { bootstrapResource } from './bootstrap.js';
import { helpResource, nameserverResource } from './help.js';
import { historyResources } from './history.js';
import { lookupResources } from './lookups.js';
import { rdapDialect } from './operation.js';
import { relationResources } from './relations.js';
import { reverseSearchResources } from './reverse-searches.js';
import { searchResources } from './searches.js';

/** All resources of RDAP, a dialect of the REST interface with documents, refusals and headers of its own (ADR 0052). */
export const rdapResources: readonly Resource[] = [
  ...lookupResources,
  ...searchResources,
  ...reverseSearchResources,
  ...relationResources,
  ...historyResources,
  nameserverResource,
  helpResource,
  bootstrapResource,
];

/** The facts of an unknown path below `/rdap`. */
export const unknownRdapFacts = factsOf({ ...rdapDialect, name: 'unknown', url: '/rdap/*' });
