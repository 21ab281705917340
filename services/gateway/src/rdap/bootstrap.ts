// /rdap/bootstrap/:bootstrapFile

import type { BootstrapName } from '@cadastre/rdap';
import { HttpError } from '../errors.js';
import type { Content } from '../openapi/content.js';
import { messages } from '../ripe-messages.js';
import type { Resource, Route } from '../route.js';
import { rdapDialect } from './registry.js';

const content: Content = {
  'application/json': { schema: { type: 'object', description: 'A bootstrap file (RFC 9224, RFC 8521).' } },
};

/** GET of a bootstrap file of this registry. */
const bootstrapFile: Route<Record<'bootstrapFile', string>> = {
  id: 'getRdapBootstrapFile',
  tag: 'RDAP',
  summary: 'Fetch a bootstrap file of RDAP',
  doc: 'Returns a file with the addresses, AS numbers, reverse zones or handles of this registry, if its operator provides it.',
  query: {},
  success: { doc: 'The file.', content },
  refusals: { 404: 'This registry does not provide the file.' },
  credentials: 'none',
  async handler({ rdapFiles }, { params: { bootstrapFile: file } }) {
    const text = rdapFiles.served().get(file.replace(/\.json$/, '') as BootstrapName);
    if (text === undefined || !file.endsWith('.json')) throw new HttpError(404, messages.noBootstrapFile(file));
    const headers = { 'content-type': 'application/json', 'cache-control': 'public, max-age=3600' };
    return { status: 200, content: text, headers };
  },
};

export const bootstrapResource: Resource = {
  ...rdapDialect,
  name: 'rdap-bootstrap',
  url: '/rdap/bootstrap/:bootstrapFile',
  GET: bootstrapFile,
};
