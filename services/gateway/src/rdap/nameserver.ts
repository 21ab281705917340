// /rdap/nameserver/:hostName, /rdap/nameservers

import { HttpError } from '../errors.js';
import { rdapContent } from '../openapi/content.js';
import { messages } from '../ripe-messages.js';
import type { Resource, Route } from '../route.js';
import { rdapDialect } from './registry.js';

/** Lookups that a registry of addresses does not support. */
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

export const nameserverResource: Resource = {
  ...rdapDialect,
  name: 'rdap-nameserver',
  url: '/rdap/nameserver/:hostName',
  aliases: ['/rdap/nameservers'],
  GET: nameserver,
};
