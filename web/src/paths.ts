import type { Past } from './past/past.js';

/** The name of an object: the parts of its locator. */
export interface ObjectName {
  readonly source: string;
  readonly type: string;
  readonly key: string;
}

/** Paths of the pages (ADR 0020): names of sources begin with a letter, so none is below "/-/". */
export const paths = {
  home: '/',
  query: (parameters: URLSearchParams) => `/-/query${queryText(parameters)}`,
  object: (name: ObjectName, view = '', past?: Past) =>
    `/-/object/${namePath(name)}${queryText(new URLSearchParams({ ...(view && { view }), ...past }))}`,
  create: (type = '') => `/-/create${type === '' ? '' : `/${type}`}`,
  edit: (name: ObjectName) => `/-/edit/${namePath(name)}`,
  bulk: '/-/bulk',
  account: '/-/account',
  mails: (name = '') => `/-/mails${name === '' ? '' : `?mail=${encodeURIComponent(name)}`}`,
};

/** The parameters of an address, with readable times. */
function queryText(parameters: URLSearchParams): string {
  return parameters.size === 0 ? '' : `?${String(parameters).replaceAll('%3A', ':')}`;
}

/** The path of an object below any prefix: `TEST/route/192.0.2.0/24AS64500`. */
export function namePath({ source, type, key }: ObjectName): string {
  const spelled = encodeURIComponent(key).replace(/%(2F|3A)/g, (code) => decodeURIComponent(code));
  return `${source.toUpperCase()}/${type}/${spelled}`;
}

/** The object of such a path; `undefined` for other paths. */
export function nameOfPath(path: string): ObjectName | undefined {
  const [source, type, ...rest] = decoded(path)
    .split('/')
    .filter((part) => part !== '');
  if (source === undefined || type === undefined || rest.length === 0) return undefined;
  return { source: source.toUpperCase(), type: type.toLowerCase(), key: rest.join('/') };
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
