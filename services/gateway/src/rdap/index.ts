import { factsOf, type Resource } from '../route.js';
import { autnumResource } from './autnum.js';
import { autnumRelation, autnumSearch, autnumsOfEntity } from './autnums.js';
import { bootstrapResource } from './bootstrap.js';
import { domainResource } from './domain.js';
import { zoneRelation, zoneSearch, zonesOfEntity } from './domains.js';
import { entitySearch } from './entities.js';
import { entityResource } from './entity.js';
import { helpResource } from './help.js';
import { historyResources } from './history.js';
import { ipResource } from './ip.js';
import { networkRelation, networkSearch, networksOfEntity } from './ips.js';
import { nameserverResource } from './nameserver.js';
import { rdapDialect } from './registry.js';

/** All resources of RDAP, a dialect of the REST interface with documents, refusals and headers of its own (ADR 0052). */
export const rdapResources: readonly Resource[] = [
  ipResource,
  autnumResource,
  domainResource,
  entityResource,
  ...[entitySearch, networkSearch, autnumSearch, zoneSearch],
  ...[networksOfEntity, autnumsOfEntity, zonesOfEntity],
  ...[networkRelation, zoneRelation, autnumRelation],
  ...historyResources,
  nameserverResource,
  helpResource,
  bootstrapResource,
];

/** The facts of an unknown path below `/rdap`. */
export const unknownRdapFacts = factsOf({ ...rdapDialect, name: 'unknown', url: '/rdap/*' });
