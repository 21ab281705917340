import { objectTypeNames } from '@cadastre/rpsl';
import { count, list, object, ref, type Schema, text, truth } from './schema.js';

const link = ref('Link');
const namedValue = object('A name and a value.', { name: text('Name of an attribute.'), value: text('Its value.') });
const sourceId = object('The source.', { id: text('Name of the source, in lower case.', { examples: ['test'] }) });

/** A list that is a member of a member, which is empty (without that member) when nothing is in the list. */
function perhapsListed(description: string, item: string, name: string): Schema {
  const value = object('One of them.', { [name]: text('As it was sent.') });
  return object(description, {}, { [item]: list(value) });
}

const message = {
  severity: text('How serious it is. Errors are there only when the request was refused.', {
    enum: ['Error', 'Warning', 'Info'],
  }),
  text: text('What there is to say; each `%s` and `%d` stands for the next argument, `%%` for a percent sign.', {
    examples: ["Invalid source '%s'"],
  }),
};

const attribute = {
  name: text('Name of the attribute in full, in lower case.', { examples: ['mnt-by'] }),
  value: text('Its value; may be empty.', { examples: ['EXAMPLE-MNT'] }),
};

/** What surrounds the list of attributes of an object. */
const annotations = {
  tags: object('Tags of the object.', {
    tag: list(object('A tag.', { id: text('Name of the tag.') }, { data: text('What the tag says beyond its name.') })),
  }),
  'resource-holder': object('The organisation that holds the resource.', {
    key: text('Key of the organisation.', { examples: ['ORG-EX1-TEST'] }),
    name: text('Its name.'),
  }),
  'abuse-contact': ref('AbuseContact'),
  managed: truth('Whether the operator of the registry co-maintains the object.'),
  objectmessages: object('What there is to say about this object.', { objectmessage: list(ref('Message')) }),
  version: count('Number of this version.', 1),
};

/** The document of nearly all answers, and what it is made of. */
export const whoisResourcesSchemas: Readonly<Record<string, Schema>> = {
  WhoisResources: object(
    'The document of objects, of lists about them, and of messages.',
    {},
    {
      link,
      service: object('The service that answers.', { name: text('Its name.', { examples: ['search'] }) }),
      parameters: ref('SearchParameters'),
      objects: object('The objects.', { object: list(ref('WhoisObject')) }),
      templates: object('Templates of object types.', { template: list(ref('Template')) }),
      sources: object('The sources of this registry.', { source: list(ref('Source')) }),
      'grs-sources': object('The sources of other registries that are mirrored here.', {
        source: list(ref('GrsSource')),
      }),
      limits: ref('LimitList'),
      'geolocation-attributes': ref('GeolocationAttributes'),
      errormessages: object(
        'What there is to say about the request; absent when there is nothing. A success has warnings and infos at most, except that a search which breaks off after its first objects says so here.',
        { errormessage: list(ref('Message'), { minItems: 1 }) },
      ),
      versions: ref('VersionList'),
      'terms-and-conditions': link,
      version: ref('ServerVersion'),
    },
  ),
  Link: object('Where something is found.', {
    type: text('Kind of the link.', { const: 'locator' }),
    href: text('URL; keys in it may hold blanks that are not percent-encoded.'),
  }),
  WhoisObject: object(
    'An object of the registry.',
    {
      type: text('Its type.', { enum: objectTypeNames }),
      link,
      source: sourceId,
      'primary-key': object('The attributes that make its key, in order.', { attribute: list(namedValue) }),
      attributes: object('Its attributes, in order.', { attribute: list(ref('Attribute')) }),
    },
    annotations,
  ),
  Attribute: object('An attribute of an object.', attribute, {
    link,
    'referenced-type': text('Type of the object that the value names; it is found under `link`.', {
      enum: objectTypeNames,
    }),
    managed: truth('True when only the operator of the registry may change it; else absent.'),
    comment: text('What stood behind `#`; never there with `unformatted`.'),
  }),
  Message: object('Something there is to say.', message, {
    attribute: object('The attribute that it is about.', {
      name: text('Name of the attribute.'),
      value: text('Its value.'),
    }),
    args: list(object('An argument.', { value: text('Stands for the next `%s` or `%d` of `text`.') })),
  }),
  AbuseContact: object(
    'Whom to write to about abuse.',
    {
      key: text('Handle of the role.', { examples: ['AR1-TEST'] }),
      email: text('Address of the mailbox.', { examples: ['abuse@example.net'] }),
      suspect: truth('Whether the mailbox is known not to work.'),
    },
    { 'org-id': text('Key of the organisation to turn to otherwise.', { examples: ['ORG-EX1-TEST'] }) },
  ),
  SearchParameters: object('What was searched for, as it was sent; flags by their long names.', {
    'inverse-lookup': perhapsListed('Attributes of an inverse search.', 'inverse-attribute', 'value'),
    'type-filters': perhapsListed('Types that were searched.', 'type-filter', 'id'),
    flags: perhapsListed('Flags.', 'flag', 'value'),
    'query-strings': perhapsListed('Search term.', 'query-string', 'value'),
    sources: perhapsListed('Sources that were named.', 'source', 'id'),
  }),
  Template: object('Which attributes objects of a type have.', {
    type: text('The type.', { enum: objectTypeNames }),
    source: sourceId,
    attributes: object('The attributes, in order.', { attribute: list(ref('TemplateAttribute')) }),
  }),
  TemplateAttribute: object(
    'An attribute of a type.',
    {
      name: attribute.name,
      requirement: text('Whether an object must have it.', {
        enum: ['MANDATORY', 'OPTIONAL', 'CONDITIONAL', 'GENERATED'],
      }),
      cardinality: text('How often an object may have it.', { enum: ['SINGLE', 'MULTIPLE'] }),
    },
    {
      keys: list(text('A use as a key.', { enum: ['PRIMARY_KEY', 'LOOKUP_KEY', 'INVERSE_KEY'] }), {
        description: 'What it can be found by; absent when it is no key.',
      }),
    },
  ),
  Source: object('A source of this registry.', {
    name: text('Name in upper case.', { examples: ['TEST'] }),
    id: text('Name in lower case.', { examples: ['test'] }),
  }),
  GrsSource: object('A mirrored source.', {
    name: text('Name in upper case.', { examples: ['EXAMPLE-GRS'] }),
    id: text('Name in lower case.', { examples: ['example-grs'] }),
    'grs-id': text('The same as `id`.', { examples: ['example-grs'] }),
  }),
  LimitList: object('Where a client stands with its limits.', {
    client: text('Whom they count for: an address, a prefix or an account.', { examples: ['192.0.2.77'] }),
    limit: list(ref('Limit')),
  }),
  Limit: object(
    'A limit.',
    {
      name: text('Its name.', { examples: ['personal-objects'] }),
      most: count('How much there is.'),
      used: count('How much of it is used.'),
      remaining: count('How much is left.'),
    },
    {
      seconds: count('Length of the time in which it counts; absent for what is under way at once.'),
      resets: text('When it begins again, in UTC.', { format: 'date-time', examples: ['2030-01-31T12:00:00Z'] }),
    },
  ),
  GeolocationAttributes: object(
    'Where an address is said to be.',
    {},
    {
      location: list(ref('GeoValue'), { maxItems: 1 }),
      language: list(ref('GeoValue')),
      geofeed: list(ref('GeoValue'), { maxItems: 1 }),
    },
  ),
  GeoValue: object('A value, and where the object that holds it is found.', {
    value: text('As in the object: `latitude longitude`, a language code, or the URL of a feed.'),
    link,
  }),
  VersionList: object('The history of an object, oldest version first, deletions included.', {
    type: text('Type of the object.', { enum: objectTypeNames }),
    key: text('Key of the object, as it stood in the path.'),
    version: list(ref('VersionEntry')),
  }),
  VersionEntry: object('One update of an object.', {
    revision: count('Number of the version; never given to another one.', 1),
    date: text('When, in UTC.', { examples: ['2030-01-31T12:00:00Z'], format: 'date-time' }),
    operation: text('What was done.', { enum: ['ADD/UPD', 'DEL'] }),
  }),
  ServerVersion: object(
    'The software that answers.',
    { version: text('Its version.') },
    { timestamp: text('When it was built.'), 'commit-id': text('What it was built from.') },
  ),
};
