import { factsOf, type Resource } from '../route.js';
import { autnumResource } from './autnum.js';
import { bootstrapResource } from './bootstrap.js';
import { domainResource } from './domain.js';
import { entityResource } from './entity.js';
import { helpResource } from './help.js';
import { historyResources } from './history.js';
import { ipResource } from './ip.js';
import { nameserverResource } from './nameserver.js';
import { rdapDialect } from './registry.js';
import { relationResources } from './relations.js';
import { reverseSearchResources } from './reverse-searches.js';
import { searchResources } from './searches.js';

/** All resources of RDAP, a dialect of the REST interface with documents, refusals and headers of its own (ADR 0052). */
export const rdapResources: readonly Resource[] = [
  ipResource,
  autnumResource,
  domainResource,
  entityResource,
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
