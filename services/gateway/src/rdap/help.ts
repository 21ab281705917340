// /rdap/help

import { helpAnswer } from '@cadastre/rdap';
import { rdapContent } from '../openapi/content.js';
import type { Resource, Route } from '../route.js';
import { rdapDialect, registryOf, requestUrl } from './registry.js';
import { rdapReply } from './reply.js';
import { reverseSearchProperties } from './reverse-search.js';

/** The optional parts of answers. */
const offered = { extensions: ['paging', 'reverse_search'], reverse: reverseSearchProperties };

/** GET of the capabilities of the service. */
const help: Route = {
  id: 'getRdapHelp',
  tag: 'RDAP',
  summary: 'Show the RDAP capabilities',
  doc: 'Returns the extensions of this service, and its terms.',
  query: {},
  success: { doc: 'The document.', content: rdapContent('RdapHelp') },
  credentials: 'optional',
  handler: async (context, request) =>
    rdapReply(helpAnswer(registryOf(context, request), { url: requestUrl(request) }, offered)),
};

export const helpResource: Resource = { ...rdapDialect, name: 'rdap-help', url: '/rdap/help', GET: help };
