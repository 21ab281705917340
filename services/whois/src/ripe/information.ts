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
import { helpText } from './help.js';

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
  switch (question.kind) {
    case 'help':
      return `${helpText}\n`;
    case 'template':
      return `${question.verbose ? verboseTemplateText(question.type) : templateText(question.type)}\n`;
    case 'information':
      return `${await informationAbout(question.about, context, connection)}\n`;
  }
}

async function informationAbout(
  about: 'sources' | 'version' | 'types',
  context: Context,
  connection: Connection,
): Promise<string> {
  switch (about) {
    case 'sources':
      return sourcesText(context, connection);
    case 'version':
      return `% whois-server-${context.version}\n`;
    case 'types':
      return objectTypeNames.map((type) => `${type}\n`).join('');
  }
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
