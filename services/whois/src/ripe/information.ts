import type { LineQuestion } from '@cadastre/query';
import {
  nonAuthoritativeName,
  objectTypeNames,
  ownMirrorName,
  templateText,
  verboseTemplateText,
} from '@cadastre/rpsl';
import type { Context } from '../context.js';
import type { Connection } from '../dialect.js';

type Information = Extract<LineQuestion, { kind: 'help' | 'information' | 'template' }>;

/**
 * The answer to a query about the registry. Only that about sources, of a client that may follow them, needs the
 * objects service.
 */
export async function informationText(
  context: Context,
  question: Information,
  connection: Connection,
): Promise<string> {
  if (question.kind === 'help') return `${helpText}\n`;
  if (question.kind === 'template') {
    return `${question.verbose ? verboseTemplateText(question.type) : templateText(question.type)}\n`;
  }
  if (question.about === 'sources') return `${await sourcesText(context, connection)}\n`;
  if (question.about === 'version') return `% whois-server-${context.version}\n\n`;
  return `${objectTypeNames.map((type) => `${type}\n`).join('')}\n`;
}

/** `TEST:3:X:1-20`: a source that the client may follow, with the serials of its changes; `N` for the others. */
async function sourcesText(
  { sources: { main, mirrors }, journals }: Context,
  { client, signal }: Connection,
): Promise<string> {
  const names = new Set([main, nonAuthoritativeName(main), ownMirrorName(main), ...mirrors]);
  const range = journals.isOpenTo(client) ? await journals.range(signal) : undefined;
  const followed = range && `X:${range.oldest}-${range.newest}`;
  return [...names].map((name) => `${name}:3:${(journals.has(name) && followed) || 'N:0-0'}\n`).join('');
}

/** The answer to `help`. */
const helpText = `% Query: any number of flags, and a search key: an address, a prefix, a range, an AS number, a name or a key.
%
% Which objects around an address (one of these)
%     -x, --exact               only the exact match
%     -l, --one-less            the next less specific object
%     -L, --all-less            the exact match and all less specific objects
%     -m, --one-more            the first level of more specific objects
%     -M, --all-more            all more specific objects
%     -d, --reverse-domain      also reverse domains of an address, or addresses of a reverse domain
%     -c, --irt                 also the irt objects of networks
%     -b, --abuse-contact       only the abuse contact of a network or AS number
%
% Which objects at all
%     -T, --select-types TYPES  only objects of these types
%     -i, --inverse ATTRIBUTES  objects with the search key in one of these attributes
%     -s, --sources SOURCES     the sources to search, in this order
%     -a, --all-sources         all sources
%         --resource            the resources of all mirrors
%         --valid-syntax, --no-valid-syntax
%                               only objects that follow, or violate, the rules of their type
%
% How objects are shown
%     -r, --no-referenced       no contacts and organisations
%     -G, --no-grouping         contacts and organisations once, at the end
%     -B, --no-filtering        with e-mail addresses for notifications
%         --no-personal         no persons and roles
%     -F, --brief               short names of attributes
%     -K, --primary-keys        only primary keys
%     -Z, --charset NAME        character set of the answer: latin-1 (default), utf-8 or us-ascii
%
% Versions
%         --list-versions, --show-version NUMBER, --diff-versions NUMBER:NUMBER
%
% The registry
%     -t, --template TYPE       the attributes of a type
%     -v, --verbose TYPE        the same with explanations
%     -q sources|version|types  what this server has
%
% Following a source (NRTM version 3; for registered addresses)
%     -g SOURCE:3:FIRST-LAST    the changes with these serials; LAST may be the word LAST
%
% The connection
%     -k, --persistent-connection
%                               the connection stays open; a -k alone closes it
%     -V, --client NAME         name of the client
`;
