import { isObjectTypeName } from '@cadastre/rpsl';
import { momentOf } from '../past/past.js';
import { nameOfLocator, paths } from '../paths.js';
import { filtersOfFlags } from './flags.js';
import { refanged } from './normalise-term.js';
import { emptyQuestion, writeQuestion } from './question.js';

/** The meaning of a URL in the search box: a page of these pages, or the host that it names. */
export type UrlMeaning = { readonly page: string } | { readonly host: string };

/**
 * Reads a URL: an address of these pages, of the REST interface, of the query pages of the RIPE Database, or any other
 * one, of which only the host counts. Undefined for texts that are not URLs.
 */
export function readUrl(written: string): UrlMeaning | undefined {
  const text = refanged(written);
  const isPath = /^\/(-\/|[\w.-]+[/?])/.test(text);
  if (!isPath && !/^https?:\/\//i.test(text)) return undefined;
  if (!URL.canParse(text, 'http://here')) return undefined;
  const url = new URL(text, 'http://here');
  const page = pageOf(url);
  if (page !== undefined) return { page };
  return isPath ? undefined : { host: url.hostname.replace(/^\[(.*)\]$/, '$1') };
}

function pageOf({ pathname, searchParams: sent, search }: URL): string | undefined {
  if (/^\/-\/[a-z]/.test(pathname)) return `${pathname}${search}`;
  const path = pathname.replace(/^\/whois/, '').replace(/\.(json|xml|txt)$/, '');
  const [, resource] = /^\/abuse-contact\/([\w.:/-]+)$/.exec(path.replaceAll('%2F', '/')) ?? [];
  const text = sent.get('query-string') ?? sent.get('searchtext') ?? sent.get('ipkey') ?? resource;
  if (text) return paths.query(writeQuestion({ ...emptyQuestion, ...filtersOf(sent), text }));
  return objectPageOf(path, sent);
}

function filtersOf(sent: URLSearchParams) {
  const list = (name: string) => sent.getAll(name).flatMap((value) => value.split(',').filter(Boolean));
  return {
    ...filtersOfFlags(list('flags')),
    types: list('type-filter'),
    source: list('source').join(','),
    inverse: list('inverse-attribute'),
    asOf: sent.get('as-of') ?? '',
  };
}

function objectPageOf(path: string, sent: URLSearchParams): string | undefined {
  const [, object = path, version] = /^(.+?)\/versions(?:\/(\d+))?$/.exec(path) ?? [];
  const [source, type, key] = ['source', 'type', 'key'].map((name) => sent.get(name));
  const name = source && type && key ? { source: source.toUpperCase(), type, key } : nameOfLocator(object);
  if (name === undefined || !isObjectTypeName(name.type)) return undefined;
  const isHistory = object !== path && version === undefined;
  return paths.object(name, isHistory ? 'history' : '', version ? { version } : momentOf(sent.get('as-of')));
}
