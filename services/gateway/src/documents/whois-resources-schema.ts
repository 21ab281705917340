import { MirrorState, OriginKind } from '@cadastre/proto/mirror';
import { WriteOutcome } from '@cadastre/proto/objects';
import { count, instant, list, object, oneOf, ref, type Schema, type Shape, text, truth } from '@cadastre/rdap/schema';
import { objectTypeNames } from '@cadastre/rpsl';

/** The names of outcomes in responses. */
const outcomeNames = {
  [WriteOutcome.WRITE_OUTCOME_CREATED]: 'created',
  [WriteOutcome.WRITE_OUTCOME_MODIFIED]: 'modified',
  [WriteOutcome.WRITE_OUTCOME_DELETED]: 'deleted',
  [WriteOutcome.WRITE_OUTCOME_UNCHANGED]: 'unchanged',
  [WriteOutcome.WRITE_OUTCOME_INVALID]: 'invalid',
  [WriteOutcome.WRITE_OUTCOME_UNAUTHORISED]: 'unauthorised',
  [WriteOutcome.WRITE_OUTCOME_STALE]: 'stale',
  [WriteOutcome.WRITE_OUTCOME_EXISTS]: 'exists',
  [WriteOutcome.WRITE_OUTCOME_REFERENCED]: 'referenced',
  [WriteOutcome.WRITE_OUTCOME_NOT_FOUND]: 'not-found',
  [WriteOutcome.WRITE_OUTCOME_DAY_QUOTA]: 'day-quota',
  [WriteOutcome.WRITE_OUTCOME_MNTNER_QUOTA]: 'mntner-quota',
  [WriteOutcome.WRITE_OUTCOME_SKIPPED]: 'skipped',
} as const satisfies { readonly [O in WriteOutcome]?: string };

/** The name of an outcome; an unknown one, from a newer objects service, is a refusal. */
export function nameOfOutcome(outcome: WriteOutcome): string {
  return outcome in outcomeNames ? outcomeNames[outcome as keyof typeof outcomeNames] : 'invalid';
}

/** The names of the kinds of origins of mirrored sources. */
export const originKinds = {
  [OriginKind.ORIGIN_KIND_NRTM4]: 'nrtm4',
  [OriginKind.ORIGIN_KIND_NRTM3]: 'nrtm3',
  [OriginKind.ORIGIN_KIND_DUMP]: 'dump',
} as const satisfies { readonly [K in OriginKind]?: string };

/** The names of the states of mirrored sources. */
export const mirrorStates = {
  [MirrorState.MIRROR_STATE_LOADING]: 'loading',
  [MirrorState.MIRROR_STATE_CURRENT]: 'current',
  [MirrorState.MIRROR_STATE_STALE]: 'stale',
  [MirrorState.MIRROR_STATE_REFUSED]: 'refused',
} as const satisfies { readonly [S in MirrorState]?: string };

const locator = object('The URL of a document.', {
  type: text('Kind of the link.', { const: 'locator' }),
  href: text('The URL; keys in it may contain blanks that are not percent-encoded.'),
});
const link = ref('Link', locator);
const namedValue = object('A name and a value.', { name: text('Name of an attribute.'), value: text('Its value.') });
const sourceId = object('The source.', { id: text('Name of the source, in lower case.', { examples: ['test'] }) });

/** An object whose only member is a list; without that member when the list is empty. */
function listOrEmpty(description: string, item: string, name: string): Schema {
  const value = object('One of them.', { [name]: text('The value as sent.') });
  return object(description, {}, { [item]: list(value) });
}

const message = {
  severity: oneOf('Severity of the message. There are errors only if the request was refused.', [
    'Error',
    'Warning',
    'Info',
  ]),
  text: text('Text of the message; `%s` and `%d` are placeholders of the arguments in order, `%%` is a percent sign.', {
    examples: ["Invalid source '%s'"],
  }),
};

const attribute = {
  name: text('Name of the attribute in full, in lower case.', { examples: ['mnt-by'] }),
  value: text('Its value; may be empty.', { examples: ['EXAMPLE-MNT'] }),
};

/** Members of an object besides its attributes. */
const annotations = {
  tags: object('Tags of the object.', {
    tag: list(object('A tag.', { id: text('Name of the tag.') }, { data: text('Further data of the tag.') })),
  }),
  'resource-holder': object('The organisation that holds the resource.', {
    key: text('Key of the organisation.', { examples: ['ORG-EX1-TEST'] }),
    name: text('Its name.'),
  }),
  'abuse-contact': ref('AbuseContact'),
  managed: truth('Whether the operator of the registry co-maintains the object.'),
  objectmessages: object('Messages about this object.', { objectmessage: list(ref('Message')) }),
  version: count('Number of this version.', 1),
};

/** The schema of an abuse contact. */
export const abuseContact = object(
  'The contact for reports of abuse.',
  {
    key: text('Handle of the role.', { examples: ['AR1-TEST'] }),
    email: text('Address of the mailbox.', { examples: ['abuse@example.net'] }),
    suspect: truth('True if the operator has marked the mailbox as broken.'),
  },
  { 'org-id': text('Key of the organisation to contact instead.', { examples: ['ORG-EX1-TEST'] }) },
);
const templateAttribute = object(
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
      description: 'How searches can use the attribute; absent if it is not a key.',
    }),
  },
);
const source = object('A source of this registry.', {
  name: text('Name in upper case.', { examples: ['TEST'] }),
  id: text('Name in lower case.', { examples: ['test'] }),
});
const grsSource = object(
  'A mirrored source. The members after `grs-id` are present when the registry updates the source automatically.',
  {
    name: text('Name in upper case.', { examples: ['EXAMPLE-GRS'] }),
    id: text('Name in lower case.', { examples: ['example-grs'] }),
    'grs-id': text('The same as `id`.', { examples: ['example-grs'] }),
  },
  {
    kind: text('How it gets the changes of its registry: by NRTM version 4 or 3, or by dumps.', {
      enum: Object.values(originKinds),
    }),
    origin: text('The address of its origin; absent for a file.', {
      examples: ['https://nrtm.example.net/nrtmv4/EXAMPLE/update-notification-file.jose'],
    }),
    state: text(
      'Whether it has the latest published state. A source that is `stale` or `refused` has the last good state; newer data of its registry is unavailable, or must not be applied.',
      { enum: Object.values(mirrorStates) },
    ),
    checked: instant('When the registry last confirmed that it is up to date.'),
    changed: instant('When its objects last changed.'),
  },
);
const limit = object(
  'A limit.',
  {
    name: text('Its name.', { examples: ['personal-objects'] }),
    most: count('The limit.'),
    used: count('The used part.'),
    remaining: count('The remaining part.'),
  },
  {
    seconds: count('Length of the period in which it counts, in seconds; absent for a limit of concurrent requests.'),
    resets: text('End of the period, in UTC.', { format: 'date-time', examples: ['2030-01-31T12:00:00Z'] }),
  },
);
const limitList = object('The limits of a client, and their use.', {
  client: text('The client: an address, a prefix or an account.', { examples: ['192.0.2.77'] }),
  limit: list(ref('Limit', limit)),
});
const geoValue = object('A value, and the URL of the object that contains it.', {
  value: text('The value in the object: `latitude longitude`, a language code, or the URL of a feed.'),
  link,
});
const geolocation = object(
  'The location of an address, as its holders state it.',
  {},
  {
    location: list(ref('GeoValue', geoValue), { maxItems: 1 }),
    language: list(ref('GeoValue', geoValue)),
    geofeed: list(ref('GeoValue', geoValue), { maxItems: 1 }),
  },
);
const versionEntry = object(
  'One update of an object.',
  {
    revision: count('Number of the version; never used again.', 1),
    date: text('Time of the update, in UTC.', { examples: ['2030-01-31T12:00:00Z'], format: 'date-time' }),
    operation: text('Kind of the update.', { enum: ['ADD/UPD', 'DEL'] }),
  },
  { reason: text('The reason of a deletion, if there is one; shortened to 500 characters.') },
);
const versionList = object('The history of an object, oldest version first, including deletions.', {
  type: text('Type of the object.', { enum: objectTypeNames }),
  key: text('Key of the object, as in the path.'),
  version: list(ref('VersionEntry', versionEntry)),
});
const serverVersion = object(
  'The software of the server.',
  { version: text('Its version.') },
  { timestamp: text('Time of the build.'), 'commit-id': text('Commit of the build.') },
);

// What resources pass to the writers (whois-resources.ts).
export type TemplateAttribute = Shape<typeof templateAttribute>;
export type SourceEntry = Shape<typeof source>;
export type GrsSourceEntry = Shape<typeof grsSource>;
export type LimitEntry = Shape<typeof limit>;
export type LimitList = Shape<typeof limitList>;
export type GeoEntry = Shape<typeof geoValue>;
export type Geolocation = Shape<typeof geolocation>;
export type VersionList = Shape<typeof versionList>;
export type ServerVersion = Shape<typeof serverVersion>;

/** The document of most responses, and its parts. */
export const whoisResourcesSchemas: Readonly<Record<string, Schema>> = {
  WhoisResources: object(
    'Objects, lists about them, and messages.',
    {},
    {
      link,
      service: object('The service that responds.', { name: text('Its name.', { examples: ['search'] }) }),
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
        'Messages about the request; absent if there are none. A successful response has only warnings and infos, with one exception: a search that fails after its first objects reports the error here.',
        { errormessage: list(ref('Message'), { minItems: 1 }) },
      ),
      results: object('The outcomes of the objects of a batch, in the order of the request.', {
        result: list(ref('Result')),
      }),
      versions: ref('VersionList'),
      'terms-and-conditions': link,
      version: ref('ServerVersion'),
    },
  ),
  Link: locator,
  WhoisObject: object(
    'An object of the registry.',
    {
      type: oneOf('Its type.', objectTypeNames),
      link,
      source: sourceId,
      'primary-key': object('The attributes of its primary key, in order.', { attribute: list(namedValue) }),
      attributes: object('Its attributes, in order.', { attribute: list(ref('Attribute')) }),
    },
    annotations,
  ),
  Attribute: object('An attribute of an object.', attribute, {
    link,
    'referenced-type': oneOf('Type of the object that the value names; `link` is its URL.', objectTypeNames),
    managed: truth('True if only the operator of the registry may change it; otherwise absent.'),
    comment: text('The text after `#`, without further `#`; absent with `unformatted`.'),
  }),
  Message: object('A message about the request or an object.', message, {
    attribute: object('The attribute that the message is about.', {
      name: text('Name of the attribute.'),
      value: text('Its value.'),
    }),
    args: list(object('An argument.', { value: text('The value of the next `%s` or `%d` in `text`.') })),
  }),
  AbuseContact: abuseContact,
  SearchParameters: object(
    'The parameters of the search as sent; flags by their long names.',
    {
      'inverse-lookup': listOrEmpty('Attributes of an inverse search.', 'inverse-attribute', 'value'),
      'type-filters': listOrEmpty('Object types to which the search is limited.', 'type-filter', 'id'),
      flags: listOrEmpty('Flags.', 'flag', 'value'),
      'query-strings': listOrEmpty('Search term.', 'query-string', 'value'),
      sources: listOrEmpty('Sources to search.', 'source', 'id'),
    },
    { client: text('The name of the client.', { examples: ['my-tool'] }) },
  ),
  Template: object('The attributes of an object type.', {
    type: oneOf('The type.', objectTypeNames),
    source: sourceId,
    attributes: object('The attributes, in order.', { attribute: list(ref('TemplateAttribute')) }),
  }),
  TemplateAttribute: templateAttribute,
  Source: source,
  GrsSource: grsSource,
  LimitList: limitList,
  Limit: limit,
  GeolocationAttributes: geolocation,
  GeoValue: geoValue,
  Result: object(
    'The outcome of one object of a batch, or the expected one of a dry run.',
    {
      outcome: oneOf(
        'The first four are successes. `skipped`: it was not stored because another one was refused, and possibly not checked.',
        Object.values(outcomeNames),
      ),
    },
    {
      object: count(
        'Its position among the objects of the response, from 1; absent when the response does not show it.',
        1,
      ),
      objectmessages: object('The messages about it.', { objectmessage: list(ref('Message')) }),
    },
  ),
  VersionList: versionList,
  VersionEntry: versionEntry,
  ServerVersion: serverVersion,
};
