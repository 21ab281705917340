import type { ExpandSetResponse } from '@cadastre/proto/whois';
import { count, list, object, ref, type Schema, text } from './schema.js';

const prefixes = list(text('The prefix, possibly with a range operator.', { examples: ['192.0.2.0/24'] }), {
  description: 'By address, IPv4 first.',
});

/** The document of the prefixes of a set. */
export const setPrefixesSchemas: Readonly<Record<string, Schema>> = {
  SetPrefixes: object(
    'The prefixes of a set.',
    {
      source: text('The source of the path.', { examples: ['TEST'] }),
      type: text('The type of the set.', { examples: ['as-set'] }),
      name: text('Its name in upper case.', { examples: ['AS-EXAMPLE'] }),
      serial: count('The serial of the index when the expansion began.'),
    },
    {
      prefixes: { ...prefixes, description: 'Unless listed by origin.' },
      origins: list(ref('OriginPrefixes'), { description: 'Only with `by=origin`: all AS numbers, ascending.' }),
    },
  ),
  OriginPrefixes: object('The prefixes of an AS number.', {
    origin: text('The AS number.', { examples: ['AS64500'] }),
    prefixes,
  }),
};

/** The media types of lists of prefixes. The first one is the default. */
export const prefixListTypes = ['application/json', 'text/plain'] as const;
export type PrefixListType = (typeof prefixListTypes)[number];

/** The set of a list. */
interface ListedSet {
  readonly source: string;
  readonly type: string;
  readonly name: string;
  readonly serial: number;
}

/** Renders the prefixes of a set message by message, as fast as the client reads. */
export function renderPrefixes(
  type: PrefixListType,
  set: ListedSet,
  byOrigin: boolean,
  messages: AsyncIterable<ExpandSetResponse>,
): AsyncGenerator<string> {
  if (type === 'text/plain') return lines(messages);
  const head = JSON.stringify(set).slice(0, -1);
  return byOrigin ? jsonByOrigin(head, messages) : json(head, messages);
}

/** One line per prefix, after its origin if it has one. */
async function* lines(messages: AsyncIterable<ExpandSetResponse>): AsyncGenerator<string> {
  for await (const { groups } of messages) {
    const some = groups.filter(({ prefixes }) => prefixes !== '');
    yield some
      .map(({ origin, prefixes }) => {
        if (origin === undefined) return `${prefixes}\n`;
        return `AS${origin} ${prefixes.replaceAll('\n', `\nAS${origin} `)}\n`;
      })
      .join('');
  }
}

async function* json(head: string, messages: AsyncIterable<ExpandSetResponse>): AsyncGenerator<string> {
  yield `${head},"prefixes":[\n`;
  let between = '';
  for await (const { groups } of messages) {
    for (const { prefixes } of groups) {
      yield `${between}"${prefixes.replaceAll('\n', '",\n"')}"`;
      between = ',\n';
    }
  }
  yield '\n]}\n';
}

async function* jsonByOrigin(head: string, messages: AsyncIterable<ExpandSetResponse>): AsyncGenerator<string> {
  yield `${head},"origins":[\n`;
  let open: number | undefined;
  for await (const { groups } of messages) {
    let text = '';
    for (const { origin, prefixes } of groups) {
      const values = prefixes === '' ? '' : `"${prefixes.replaceAll('\n', '","')}"`;
      if (origin === open) text += `,${values}`;
      else text += `${open === undefined ? '' : ']},\n'}{"origin":"AS${origin}","prefixes":[${values}`;
      open = origin;
    }
    yield text;
  }
  yield `${open === undefined ? '' : ']}\n'}]}\n`;
}
