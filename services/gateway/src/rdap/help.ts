// /rdap/help

import { helpAnswer } from '@cadastre/rdap';
import { rdapContent } from '../openapi/content.js';
import type { Resource, Route } from '../route.js';
import { rdapDialect, registryOf, requestUrl } from './registry.js';
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

export const helpResource: Resource = { ...rdapDialect, name: 'rdap-help', url: '/rdap/help', GET: help };
