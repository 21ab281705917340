import {
  text as anyText,
  constant,
  count,
  list as listOf,
  object,
  oneOf,
  ref,
  type Schema,
  type Shape,
  truth,
} from './schema.js';

// The documents of RFC 9083 and its extensions, as this registry writes them: it omits what is unknown, and never
// writes empty values.

/** A text that is not empty. */
const text: typeof anyText = (description, more) => anyText(description, { minLength: 1, ...more });

/** A list that is not empty. */
function list<T>(items: Schema<T>, description?: string): Schema<readonly T[]> {
  return listOf(items, { minItems: 1, ...(description === undefined ? {} : { description }) });
}

const url = text('An absolute URL.', { format: 'uri' });
const instant = text('A time in UTC (RFC 3339).', { format: 'date-time', examples: ['2030-01-31T12:00:00Z'] });
const lines = list(text('A line.'));

const link = object('A link (RFC 8288).', {
  value: url,
  rel: text('How `href` relates to `value`.', { examples: ['self'] }),
  href: url,
  type: text('The media type behind the link.', { examples: ['application/rdap+json'] }),
});

const event = object('An event in the history of the object.', {
  eventAction: oneOf('The kind of the event.', ['registration', 'last changed']),
  eventDate: instant,
});

const remark = object('Remarks of the holder.', { description: lines });

const notice = object(
  'A notice of the registry about the answer.',
  { title: text('Its title.'), description: lines },
  { type: text('Its type (RFC 9083, 10.2.1).'), links: list(ref('RdapLink', link)) },
);

const reason = object('A text.', { description: text('The text.') });

const redacted = object(
  'A field that the answer withholds (RFC 9537).',
  {
    name: object('Name of the field.', { description: text('The name.') }),
    method: oneOf('How it is withheld.', ['removal', 'partialValue']),
    reason,
  },
  {
    prePath: text('JSONPath of the field before it was removed.'),
    postPath: text('JSONPath of the field with the remaining part.'),
    pathLang: constant('jsonpath'),
  },
);

/** A property of a jCard (RFC 7095): name, parameters, type, value. */
export type JcardProperty = readonly [
  name: string,
  parameters: Readonly<Record<string, string>>,
  type: string,
  value: string | readonly string[],
];

const jcard: Schema<readonly ['vcard', readonly JcardProperty[]]> = {
  type: 'array',
  description: 'A jCard (RFC 7095): the text `vcard` and the properties of the contact.',
  minItems: 2,
  items: {},
};

const roles = ['registrant', 'administrative', 'technical', 'abuse'] as const;

const links = list(ref('RdapLink', link));
const events = list(ref('RdapEvent', event), 'Events in the history of the object.');
const remarks = list(ref('RdapRemark', remark));
const language = text('Language of the texts.', { examples: ['en'] });
const contact = object(
  'A contact of an object.',
  {
    objectClassName: constant('entity'),
    handle: text('Its key.', { examples: ['AE1-TEST'] }),
    roles: list(oneOf('A role (RFC 9083, 10.2.4).', roles)),
  },
  { vcardArray: jcard, links },
);
const contacts = list(ref('RdapContact', contact), 'The contacts, ordered by handle.');
const statuses = ['active', 'reserved', 'administrative'] as const;
const status = list(oneOf('A status (RFC 9083, 10.2.2).', statuses));

const ipNetworkAlways = {
  objectClassName: constant('ip network'),
  handle: text('Key of the network.', { examples: ['192.0.2.0 - 192.0.2.255'] }),
  startAddress: text('Its first address.', { examples: ['192.0.2.0'] }),
  endAddress: text('Its last address.', { examples: ['192.0.2.255'] }),
  ipVersion: oneOf('Its address family.', ['v4', 'v6']),
  status,
  cidr0_cidrs: list(
    object(
      'A prefix.',
      { length: count('Its length.') },
      { v4prefix: text('First address of an IPv4 prefix.'), v6prefix: text('First address of an IPv6 prefix.') },
    ),
    'The minimal prefixes of the network, in ascending order.',
  ),
  links,
};
const ipNetworkPerhaps = {
  name: text('Its `netname`.', { examples: ['EXAMPLE-NET'] }),
  type: text('Its status in the registry.', { examples: ['ASSIGNED PA'] }),
  country: text('Its first country.', { examples: ['NL'] }),
  parentHandle: text('Key of the smallest network that encloses it.'),
  entities: contacts,
  events,
  remarks,
  lang: language,
};
const ipNetwork = object('An IP network.', ipNetworkAlways, ipNetworkPerhaps);

const autnumAlways = {
  objectClassName: constant('autnum'),
  handle: text('Key of the AS number.', { examples: ['AS64500'] }),
  startAutnum: count('The AS number.'),
  endAutnum: count('The same AS number.'),
  status,
  links,
};
const autnumPerhaps = {
  name: text('Its `as-name`.', { examples: ['EXAMPLE-AS'] }),
  country: text('Its first country.', { examples: ['NL'] }),
  entities: contacts,
  events,
  remarks,
  lang: language,
};
const autnum = object('An AS number.', autnumAlways, autnumPerhaps);

const nameserver = object(
  'A name server.',
  { objectClassName: constant('nameserver'), ldhName: text('Its host name.', { examples: ['ns1.example.net'] }) },
  {
    ipAddresses: object(
      'Its addresses.',
      {},
      { v4: list(text('An IPv4 address.')), v6: list(text('An IPv6 address.')) },
    ),
  },
);

const dsData = object('A DS record.', {
  keyTag: count('Key tag.'),
  algorithm: count('Algorithm.'),
  digestType: count('Digest type.'),
  digest: text('Digest in upper case hexadecimal digits.', { pattern: '^[0-9A-F]+$' }),
});

const domainAlways = {
  objectClassName: constant('domain'),
  handle: text('Key of the domain.', { examples: ['2.0.192.in-addr.arpa'] }),
  ldhName: text('Its name without a final dot.', { examples: ['2.0.192.in-addr.arpa'] }),
  links,
};
const domainPerhaps = {
  nameservers: list(ref('RdapNameserver', nameserver), 'Its name servers.'),
  secureDNS: object('Its delegation in DNSSEC.', {
    delegationSigned: truth('Whether its parent zone has DS records.'),
    dsData: list(dsData),
  }),
  network: ref('RdapIpNetwork', ipNetwork),
  entities: contacts,
  events,
  remarks,
  lang: language,
};
const domain = object('A reverse zone.', domainAlways, domainPerhaps);

const entityAlways = {
  objectClassName: constant('entity'),
  handle: text('Key of the person, role, organisation, mntner or irt.', { examples: ['AE1-TEST'] }),
  vcardArray: jcard,
  links,
};
const entityPerhaps = {
  entities: contacts,
  networks: list(ref('RdapIpNetwork', ipNetwork), 'Its outermost networks, without contacts.'),
  autnums: list(ref('RdapAutnum', autnum), 'Its AS numbers, without contacts.'),
  events,
  remarks,
  lang: language,
};
const entity = object('A contact or holder.', entityAlways, entityPerhaps);

const topAlways = {
  rdapConformance: list(text('An extension.', { examples: ['rdap_level_0'] }), 'The extensions that the answer uses.'),
  lang: language,
};
const topPerhaps = {
  notices: list(ref('RdapNotice', notice)),
  redacted: list(ref('RdapRedacted', redacted), 'The fields that the answer withholds.'),
  port43: text('Host name of the whois service.', { examples: ['whois.example.net'] }),
};
const top = object('What the top of each answer says.', topAlways, topPerhaps);

const ipNetworkAnswer = object(
  'An IP network.',
  { ...ipNetworkAlways, ...topAlways },
  { ...ipNetworkPerhaps, ...topPerhaps },
);
const autnumAnswer = object('An AS number.', { ...autnumAlways, ...topAlways }, { ...autnumPerhaps, ...topPerhaps });
const domainAnswer = object('A reverse zone.', { ...domainAlways, ...topAlways }, { ...domainPerhaps, ...topPerhaps });
const entityAnswer = object(
  'A contact or holder.',
  { ...entityAlways, ...topAlways },
  { ...entityPerhaps, ...topPerhaps },
);

const pagedTop = {
  ...topPerhaps,
  paging_metadata: object(
    'The page (RFC 8977).',
    {},
    {
      totalCount: count('Number of all results.'),
      pageSize: count('Number of results on this page.'),
      pageNumber: count('Number of this page.', 1),
      links: list(ref('RdapLink', link)),
    },
  ),
};

const searchTop = {
  ...pagedTop,
  reverse_search_properties_mapping: list(
    object('A property of the reverse search (RFC 9536).', {
      property: text('Its name.', { examples: ['handle'] }),
      propertyPath: text('JSONPath of its member.', { examples: ['$.entities[*].handle'] }),
    }),
  ),
};

const ipSearch = object(
  'The networks that a search found.',
  { ...topAlways, ipSearchResults: list(ref('RdapIpNetwork', ipNetwork)) },
  searchTop,
);
const autnumSearch = object(
  'The AS numbers that a search found.',
  { ...topAlways, autnumSearchResults: list(ref('RdapAutnum', autnum)) },
  searchTop,
);
const domainSearch = object(
  'The reverse zones that a search found.',
  { ...topAlways, domainSearchResults: list(ref('RdapDomain', domain)) },
  searchTop,
);
const entitySearch = object(
  'The contacts and holders that a search found.',
  { ...topAlways, entitySearchResults: list(ref('RdapEntity', entity)) },
  searchTop,
);

const history = object(
  'A page of the states of an object, newest first.',
  {
    ...topAlways,
    objectClassName: constant('history'),
    records: list(
      object(
        'A state.',
        {
          applicableFrom: instant,
          content: { type: 'object', description: 'The document of that time.' } as Schema<Document>,
        },
        { applicableUntil: instant },
      ),
    ),
  },
  pagedTop,
);

const help = object('The capabilities of the service.', topAlways, {
  ...topPerhaps,
  reverse_search_properties: list(
    object('A property for reverse searches (RFC 9536).', {
      searchableResourceType: text('The searched kind.', { examples: ['ips'] }),
      relatedResourceType: text('The kind with the property.', { examples: ['entity'] }),
      property: text('Its name.', { examples: ['handle'] }),
    }),
  ),
});

const failure = object(
  'Why there is no answer.',
  {
    ...topAlways,
    errorCode: count('The HTTP status.', 300),
    title: text('Its name.', { examples: ['Not Found'] }),
    description: lines,
  },
  topPerhaps,
);

export type Link = Shape<typeof link>;
export type Event = Shape<typeof event>;
export type Remark = Shape<typeof remark>;
export type Notice = Shape<typeof notice>;
export type Redacted = Shape<typeof redacted>;
export type Jcard = Shape<typeof jcard>;
export type Role = (typeof roles)[number];
export type Contact = Shape<typeof contact>;
export type Nameserver = Shape<typeof nameserver>;
export type DsData = Shape<typeof dsData>;
export type Status = (typeof statuses)[number];
export type IpNetwork = Shape<typeof ipNetwork>;
export type Autnum = Shape<typeof autnum>;
export type Domain = Shape<typeof domain>;
export type Entity = Shape<typeof entity>;
/** The document of one object. */
export type Document = IpNetwork | Autnum | Domain | Entity;
/** A document as the answer to a lookup. */
export type Answer<D extends Document = Document> = D & Top;
/** What the top of an answer says. */
export type Top = Shape<typeof top>;
export type IpSearch = Shape<typeof ipSearch>;
export type AutnumSearch = Shape<typeof autnumSearch>;
export type DomainSearch = Shape<typeof domainSearch>;
export type EntitySearch = Shape<typeof entitySearch>;
export type PagingMetadata = NonNullable<IpSearch['paging_metadata']>;
export type ReverseSearchMapping = NonNullable<IpSearch['reverse_search_properties_mapping']>;
export type History = Shape<typeof history>;
export type Help = Shape<typeof help>;
export type ReverseSearchProperties = NonNullable<Help['reverse_search_properties']>;
export type Failure = Shape<typeof failure>;

/** The schema of every document and of its parts, by its name in the description of the interface. */
export const schemas = {
  RdapLink: link,
  RdapEvent: event,
  RdapRemark: remark,
  RdapNotice: notice,
  RdapRedacted: redacted,
  RdapContact: contact,
  RdapNameserver: nameserver,
  RdapIpNetwork: ipNetwork,
  RdapAutnum: autnum,
  RdapDomain: domain,
  RdapEntity: entity,
  RdapIpNetworkAnswer: ipNetworkAnswer,
  RdapAutnumAnswer: autnumAnswer,
  RdapDomainAnswer: domainAnswer,
  RdapEntityAnswer: entityAnswer,
  RdapIpSearch: ipSearch,
  RdapAutnumSearch: autnumSearch,
  RdapDomainSearch: domainSearch,
  RdapEntitySearch: entitySearch,
  RdapHistory: history,
  RdapHelp: help,
  RdapFailure: failure,
} as const;
