import type { Past } from './past/past.js';

/** The name of an object: the parts of its locator. */
export interface ObjectName {
  readonly source: string;
  readonly type: string;
  readonly key: string;
}

/** The initial contents of the form for a new object. */
interface Beginning {
  readonly values?: Readonly<Record<string, string>>;
  /** An object whose attributes it gets. */
  readonly like?: ObjectName | undefined;
}

/** Paths of the pages (ADR 0020): names of sources begin with a letter, so none is below "/-/". */
export const paths = {
  home: '/',
  query: (parameters: URLSearchParams) => `/-/query${queryText(parameters)}`,
  /** `chosen`: the choices of the view, as parameters. */
  object: (name: ObjectName, view = '', past?: Past, chosen: Readonly<Record<string, string>> = {}) =>
    `/-/object/${namePath(name)}${queryText(new URLSearchParams({ ...(view && { view }), ...past, ...chosen }))}`,
  create: (type = '', { values = {}, like }: Beginning = {}) =>
    `/-/create${type === '' ? '' : `/${type}`}${queryText(new URLSearchParams({ ...values, ...(like && { like: nameText(like) }) }))}`,
  reverseZones: (prefix = '') => `/-/create/domains${queryText(new URLSearchParams(prefix === '' ? {} : { prefix }))}`,
  /** `restore`: a version with which the editor begins. */
  edit: (name: ObjectName, restore = 0) => `/-/edit/${namePath(name)}${restore > 0 ? `?restore=${restore}` : ''}`,
  template: (type: string) => `/-/template/${type}`,
  bulk: '/-/bulk',
  sources: '/-/sources',
  editMany: '/-/edit-many',
  account: '/-/account',
  webhooks: '/-/webhooks',
  /** The resources of the account, or the map of a range of addresses. */
  resources: (space = '', length = 0) =>
    `/-/resources${queryText(new URLSearchParams({ ...(space && { space }), ...(length && { length: String(length) }) }))}`,
};

/** The parameters of an address, with readable times. */
function queryText(parameters: URLSearchParams): string {
  return parameters.size === 0 ? '' : `?${String(parameters).replaceAll('%3A', ':')}`;
}

/** The path of an object below any prefix: `TEST/route/192.0.2.0/24AS64500`. */
export function namePath({ source, type, key }: ObjectName): string {
  return `${source.toUpperCase()}/${type}/${spelled(key)}`;
}

function spelled(key: string): string {
  return encodeURIComponent(key).replace(/%(2F|3A)/g, (code) => decodeURIComponent(code));
}

const rdapPaths: Readonly<Record<string, string>> = {
  inetnum: 'ip',
  inet6num: 'ip',
  'aut-num': 'autnum',
  domain: 'domain',
  organisation: 'entity',
  person: 'entity',
  role: 'entity',
  mntner: 'entity',
};

/** Whether a source is the part of the main one with resources of other regions. */
export function isOfOtherRegions(source: string): boolean {
  return source.endsWith('-NONAUTH');
}

/** The path of an object of the main source as an RDAP document; `undefined` for one that RDAP does not have. */
export function rdapPath({ type, key }: Pick<ObjectName, 'type' | 'key'>): string | undefined {
  const first = rdapPaths[type];
  return first && `/rdap/${first}/${spelled(key)}`;
}

/** The object of such a path; `undefined` for other paths. */
export function nameOfPath(path: string): ObjectName | undefined {
  const [source, type, ...rest] = decoded(path)
    .split('/')
    .filter((part) => part !== '');
  if (source === undefined || type === undefined || rest.length === 0) return undefined;
  return { source: source.toUpperCase(), type: type.toLowerCase(), key: rest.join('/') };
}

/** A name as the value of a parameter. */
function nameText({ source, type, key }: ObjectName): string {
  return `${source}/${type}/${key}`;
}

/** The object that such a value names. */
export function nameOfText(text: string): ObjectName | undefined {
  return nameOfPath(encodeURIComponent(text));
}

/** The object of a locator in a response (`https://…/test/person/XX1-TEST`). */
export function nameOfLocator(href: string): ObjectName | undefined {
  return nameOfPath(href.replace(/^[a-z]+:\/\/[^/]*(\/whois)?/i, ''));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
