/** What a path addresses. Source, type and key stand as sent (percent-decoded), in any letter case. */
export type Target =
  | { readonly kind: 'collection'; readonly source: string; readonly type: string }
  | { readonly kind: 'object'; readonly source: string; readonly type: string; readonly key: string }
  | { readonly kind: 'versions'; readonly source: string; readonly type: string; readonly key: string }
  | {
      readonly kind: 'version';
      readonly source: string;
      readonly type: string;
      readonly key: string;
      /** Not checked to be a number. */
      readonly revision: string;
    }
  | { readonly kind: 'sources' }
  | { readonly kind: 'template'; readonly type: string }
  | { readonly kind: 'limits' }
  | { readonly kind: 'references'; readonly source: string }
  | { readonly kind: 'search' }
  | { readonly kind: 'geolocation' }
  | {
      readonly kind: 'abuse-contact';
      /** Not checked to be a resource. */
      readonly resource: string;
    }
  | { readonly kind: 'api-keys' }
  | { readonly kind: 'api-key'; readonly id: string }
  | { readonly kind: 'session' }
  | { readonly kind: 'own-maintainers' }
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'sign-in-callback' }
  | { readonly kind: 'syncupdates'; readonly source: string }
  | { readonly kind: 'openapi' }
  | { readonly kind: 'documentation' }
  | { readonly kind: 'documentation-file'; readonly file: string }
  | {
      readonly kind: 'page';
      /** Path as sent: of a file of the web interface, or of a page that it makes itself. */
      readonly path: string;
    }
  | { readonly kind: 'unknown' };

/** The targets of one kind. */
export type TargetOf<K extends Target['kind']> = Extract<Target, { kind: K }>;

/** The extensions that choose a format. */
export type Extension = 'xml' | 'json' | 'txt';

/** A request's URL, taken apart. */
export interface Locator {
  readonly target: Target;
  readonly extension: Extension | undefined;
  /** As sent, without the "?"; empty when there is none. */
  readonly query: string;
  /** Path as sent, without the prefix "/whois" and without the extension: for links. */
  readonly path: string;
}

const unknown: Target = { kind: 'unknown' };

/** First segments that are no source. */
const reservedSegments: ReadonlySet<string> = new Set([
  'abuse-contact',
  'api-keys',
  'docs',
  'geolocation',
  'metadata',
  'openapi',
  'references',
  'search',
  'session',
  'syncupdates',
]);

/**
 * Takes a request URL apart (decision R18). Never throws: a path whose percent-encoding is no UTF-8 is unknown.
 */
export function locate(url: string): Locator {
  const { path: full, query } = splitUrl(url);
  if (isPagePath(full)) return { target: { kind: 'page', path: full }, extension: undefined, query, path: full };
  const extension = extensionOf(full);
  const bare = extension === undefined ? full : full.slice(0, -1 - extension.length);
  const path = withoutPrefix(bare);
  return { target: targetOf(segmentsOf(path)), extension, query, path };
}

/** The web interface has "/" and everything below "/-/": names of sources begin with a letter (ADR 0020). */
function isPagePath(path: string): boolean {
  return path === '/' || path.startsWith('/-/');
}

function splitUrl(url: string): { path: string; query: string } {
  const origin = url.startsWith('/') ? '' : (/^[a-z]+:\/\/[^/?#]*/i.exec(url)?.[0] ?? '');
  const rest = url.slice(origin.length);
  const mark = rest.indexOf('?');
  return mark < 0 ? { path: rest, query: '' } : { path: rest.slice(0, mark), query: rest.slice(mark + 1) };
}

function extensionOf(path: string): Extension | undefined {
  if (path.endsWith('.json')) return 'json';
  if (path.endsWith('.xml')) return 'xml';
  return path.endsWith('.txt') ? 'txt' : undefined;
}

function withoutPrefix(path: string): string {
  return path.replace(/^\/+whois(?=\/|$)/i, '');
}

function segmentsOf(path: string): string[] | undefined {
  try {
    const decoded = path.includes('%') ? decodeURIComponent(path) : path;
    return decoded.split('/').filter((segment) => segment !== '');
  } catch {
    return undefined;
  }
}

function targetOf(segments: string[] | undefined): Target {
  const [first, second] = segments ?? [];
  if (segments === undefined || first === undefined) return unknown;
  if (reservedSegments.has(first)) return reservedTarget(first, segments.slice(1));
  if (second === undefined) return unknown;
  if (segments.length === 2) return { kind: 'collection', source: first, type: second };
  return objectTarget(first, second, segments.slice(2));
}

function reservedTarget(first: string, rest: string[]): Target {
  switch (first) {
    case 'search':
    case 'geolocation':
    case 'openapi':
      return rest.length === 0 ? { kind: first } : unknown;
    case 'abuse-contact':
      return rest.length > 0 ? { kind: first, resource: rest.join('/') } : unknown;
    case 'api-keys':
      return apiKeysTarget(rest);
    case 'docs':
      return documentationTarget(rest);
    case 'session':
      return sessionTarget(rest);
    case 'references':
    case 'syncupdates':
      return rest.length === 1 ? { kind: first, source: rest[0]! } : unknown;
    default:
      return metadataTarget(rest);
  }
}

function apiKeysTarget([id, ...more]: string[]): Target {
  if (more.length > 0) return unknown;
  return id === undefined ? { kind: 'api-keys' } : { kind: 'api-key', id };
}

function documentationTarget([file, ...more]: string[]): Target {
  if (more.length > 0) return unknown;
  return file === undefined ? { kind: 'documentation' } : { kind: 'documentation-file', file };
}

function sessionTarget([step, ...more]: string[]): Target {
  if (more.length > 0) return unknown;
  if (step === undefined) return { kind: 'session' };
  if (step === 'maintainers') return { kind: 'own-maintainers' };
  if (step === 'login') return { kind: 'sign-in' };
  return step === 'callback' ? { kind: 'sign-in-callback' } : unknown;
}

function metadataTarget([list, type, ...more]: string[]): Target {
  if (more.length > 0) return unknown;
  if ((list === 'sources' || list === 'limits') && type === undefined) return { kind: list };
  return list === 'templates' && type !== undefined ? { kind: 'template', type } : unknown;
}

function objectTarget(source: string, type: string, rest: string[]): Target {
  if (rest.length > 1 && rest.at(-1) === 'versions') {
    return { kind: 'versions', source, type, key: rest.slice(0, -1).join('/') };
  }
  if (rest.length > 2 && rest.at(-2) === 'versions') {
    return { kind: 'version', source, type, key: rest.slice(0, -2).join('/'), revision: rest.at(-1)! };
  }
  return { kind: 'object', source, type, key: rest.join('/') };
}
