import { helpAnswer } from '@cadastre/rdap';
import { HttpError } from '../errors.js';
import { messages } from '../ripe-messages.js';
import type { Resource, Route } from '../route.js';
import { rdapContent, rdapDialect } from './operation.js';
import { registryOf, requestUrl } from './registry.js';
import { rdapReply } from './reply.js';
import { reverseSearchProperties } from './reverse-searches.js';

/** What some answers have. */
const offered = { extensions: ['paging', 'reverse_search'], reverse: reverseSearchProperties };

/** GET of what the service can do. */
const help: Route = {
  id: 'getRdapHelp',
  tag: 'RDAP',
  summary: 'See what RDAP offers here',
  doc: 'Returns the extensions that this service has, and its terms.',
  query: {},
  success: { doc: 'The document.', content: rdapContent('RdapHelp') },
  credentials: 'optional',
  handler: async (context, request) =>
    rdapReply(helpAnswer(registryOf(context, request), { url: requestUrl(request) }, offered)),
};

/** What a registry of addresses does not have. */
const nameserver: Route = {
  id: 'getRdapNameserver',
  tag: 'RDAP',
  summary: 'Ask for a name server by RDAP',
  doc: 'Always refused: this registry has no objects of name servers. Those of a reverse zone are in its document.',
  query: {},
  success: { doc: 'Never.', content: rdapContent('RdapNameserver') },
  refusals: { 501: 'This registry has no name servers.' },
  credentials: 'optional',
  async handler() {
    throw new HttpError(501, messages.notServed('name servers'));
  },
};

export const helpResource: Resource = { ...rdapDialect, name: 'rdap-help', url: '/rdap/help', GET: help };

export const nameserverResource: Resource = {
  ...rdapDialect,
  name: 'rdap-nameserver',
  url: '/rdap/nameserver/:hostName',
  aliases: ['/rdap/nameservers'],
  GET: nameserver,
};
