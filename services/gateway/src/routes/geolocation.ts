import type { GeoValue, Location } from '@cadastre/proto/geo';
import type { Context } from '../context.js';
import { Refusal } from '../errors.js';
import type { Exchange } from '../exchange.js';
import type { GeoEntry, Geolocation } from '../format/resource.js';
import type { TargetOf } from '../locator.js';
import { messages } from '../messages.js';
import { readContent, whoisResources } from '../openapi/content.js';
import { parameter } from '../parameters.js';
import type { Answer } from '../respond.js';
import type { Route } from './route.js';

const query = {
  ipkey: parameter.text('The address: IPv4 or IPv6. One of `ipkey` and `key` is required.', { example: '192.0.2.77' }),
  key: parameter.text('Another name of `ipkey`.'),
};

/** GET of where an address is said to be; the address is in "ipkey", or "key" (decision R12). */
export const geolocation: Route<'geolocation', typeof query> = {
  id: 'locateAddress',
  tag: 'Resources',
  summary: 'Locate an address',
  doc: 'Where the holders of an address say that it is, and which languages are spoken there. Refusals are plain text.',
  query,
  success: {
    doc: 'Where it is said to be.',
    content: readContent(whoisResources('geolocation-attributes')),
  },
  refusals: { 404: 'Nothing is said about this address.' },
  credentials: 'optional',
  answer: locateResource,
};

async function locateResource(
  context: Context,
  exchange: Exchange<TargetOf<'geolocation'>, typeof query>,
): Promise<Answer> {
  const { parameters, request, base, link } = exchange;
  const resource = (parameters.ipkey || parameters.key).trim();
  if (resource === '') throw new Refusal(400, messages.ipkeyRequired());
  const options = { deadlineMs: context.settings.readDeadline, requestId: request.id };
  const { location } = await context.geolocation.locate({ resource }, options);
  if (location === undefined) throw new Refusal(500, messages.unexpected());
  const head = { link, service: 'geolocation-finder', geolocation: geolocationOf(location, base) };
  return { status: 200, content: { head, tail: { terms: context.settings.termsUrl } } };
}

function geolocationOf({ geoloc, languages, geofeed }: Location, base: string): Geolocation {
  return {
    ...(geoloc ? { location: geoEntry(geoloc, base) } : {}),
    languages: languages.map((language) => geoEntry(language, base)),
    ...(geofeed ? { geofeed: geoEntry(geofeed, base) } : {}),
  };
}

function geoEntry({ value, holder }: GeoValue, base: string): GeoEntry {
  const { source = '', type = '', key = '' } = holder ?? {};
  return { value, href: `${base}/${source.toLowerCase()}/${type}/${key}` };
}
