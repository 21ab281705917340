// /geolocation

import type { GeoValue, Location } from '@cadastre/proto/geo';
import type { FastifyReply } from 'fastify';
import { shortCall } from '../backends/call-options.js';
import type { Context } from '../context.js';
import type { GeoEntry, Geolocation } from '../documents/whois-resources-schema.js';
import { HttpError } from '../errors.js';
import { readContent, whoisResources } from '../openapi/content.js';
import { parameter } from '../parameters.js';
import { clientGone } from '../reply/reply-end.js';
import type { RouteReply } from '../reply/send.js';
import { messages } from '../ripe-messages.js';
import type { PathParameters, Resource, Route, RouteRequest } from '../route.js';

const query = {
  ipkey: parameter.text('An IPv4 or IPv6 address.', { required: true, example: '192.0.2.77' }),
  key: parameter.text('The same as `ipkey`, if that is absent.'),
};

/** GET of the location of an address, which is in "ipkey" or "key" (decision R12). */
const geolocation: Route<PathParameters, typeof query> = {
  id: 'locateAddress',
  tag: 'Resources',
  summary: 'Locate an address',
  doc: 'Returns the location of an address and the languages spoken there, as the holders of the address state them. Refusals are plain text.',
  query,
  success: {
    doc: 'The location.',
    content: readContent(whoisResources('geolocation-attributes')),
  },
  refusals: { 404: 'The registry has no location of this address.' },
  credentials: 'optional',
  handler: locateResource,
};

export const geolocationResource: Resource = {
  name: 'geolocation',
  url: '/geolocation',
  errors: 'text',
  GET: geolocation,
};

async function locateResource(
  context: Context,
  request: RouteRequest<PathParameters, typeof query>,
  reply: FastifyReply,
): Promise<RouteReply> {
  const { base, link, limitedClient } = request;
  const resource = (request.query.ipkey || request.query.key).trim();
  if (resource === '') throw new HttpError(400, messages.ipkeyRequired());
  const call = { ...shortCall(context, request), signal: clientGone(reply) };
  const minSerial = context.cache.newestSerial(context.settings.source);
  const { location } = await context.geolocation.locate({ resource, minSerial, client: limitedClient.id }, call);
  const head = { link, service: 'geolocation-finder', geolocation: geolocationOf(location!, base) };
  return { status: 200, content: { head, tail: { terms: context.settings.termsUrl } } };
}

function geolocationOf({ geoloc, languages, geofeed }: Location, base: string): Geolocation {
  return {
    ...(geoloc && { location: [geoEntry(geoloc, base)] }),
    language: languages.map((language) => geoEntry(language, base)),
    ...(geofeed && { geofeed: [geoEntry(geofeed, base)] }),
  };
}

function geoEntry({ value, holder }: GeoValue, base: string): GeoEntry {
  const { source = '', type = '', key = '' } = holder ?? {};
  return { value, link: { type: 'locator', href: `${base}/${source.toLowerCase()}/${type}/${key}` } };
}
