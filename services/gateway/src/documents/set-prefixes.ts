import type { ExpandSetResponse, PrefixGroup } from '@cadastre/proto/whois';
import { count, list, object, ref, type Schema, type Shape, text, truth } from '@cadastre/rdap/schema';

const prefixes = list(text('The prefix, possibly with a range operator.', { examples: ['192.0.2.0/24'] }), {
  description: 'By address, IPv4 first.',
});

const setPrefixes = object(
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
    omissions: list(ref('Omission'), {
      description: 'Only with `explain`, instead of prefixes: what is left out, sets first. At most 1,000.',
    }),
    more: count('Only with `explain`: how many more there are.'),
    partial: truth('Only with `explain`: whether there may be others, because the set is too large.'),
  },
);

/** The document of the prefixes of a set. */
export const setPrefixesSchemas: Readonly<Record<string, Schema>> = {
  SetPrefixes: setPrefixes,
  OriginPrefixes: object(
    'The prefixes of an AS number.',
    {
      origin: text('The AS number.', { examples: ['AS64500'] }),
      prefixes,
    },
    {
      sources: list(text('Names, separated by commas.', { examples: ['TEST,OTHER-GRS'] }), {
        description: 'For each of `prefixes` the sources that have a route with this origin; not with `aggregate`.',
      }),
    },
  ),
};

/** The media types of lists of prefixes. The first one is the default. */
export const prefixListTypes = ['application/json', 'text/plain'] as const;
export type PrefixListType = (typeof prefixListTypes)[number];

/** The set of a list. */
export type ListedSet = Pick<Shape<typeof setPrefixes>, 'source' | 'type' | 'name' | 'serial'>;

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

/** One line per prefix, after its origin and before the sources that have it, if they are known. */
async function* lines(messages: AsyncIterable<ExpandSetResponse>): AsyncGenerator<string> {
  for await (const { groups } of messages) {
    const some = groups.filter(({ prefixes }) => prefixes !== '');
    yield some
      .map(({ origin, prefixes, sources }) => {
        if (origin === undefined) return `${prefixes}\n`;
        const end = `${sources ? ` ${sources}` : ''}\n`;
        return `AS${origin} ${prefixes.replaceAll('\n', `${end}AS${origin} `)}${end}`;
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
  let sources: SourceRun[] = [];
  for await (const { groups } of messages) {
    let text = '';
    for (const group of groups) {
      const { origin, prefixes } = group;
      const values = prefixes === '' ? '' : `"${prefixes.replaceAll('\n', '","')}"`;
      if (origin === open) text += `,${values}`;
      else {
        for (const piece of open === undefined ? [] : endOfOrigin(sources)) {
          if (text.length > textsAtOnce) {
            yield text;
            text = '';
          }
          text += piece;
        }
        text += `${open === undefined ? '' : ',\n'}{"origin":"AS${origin}","prefixes":[${values}`;
        sources = [];
      }
      noteSources(sources, group);
      open = origin;
    }
    yield text;
  }
  if (open !== undefined) {
    yield* endOfOrigin(sources);
    yield '\n';
  }
  yield ']}\n';
}

/** Characters of a piece of text. */
const textsAtOnce = 64 * 1024;

/** Consecutive prefixes of an origin that the same sources have. */
interface SourceRun {
  readonly sources: string;
  prefixes: number;
}

function noteSources(runs: SourceRun[], { prefixes, sources }: PrefixGroup): void {
  if (prefixes === '' || sources === undefined) return;
  const count = prefixes.split('\n').length;
  const last = runs.at(-1);
  if (last?.sources === sources) last.prefixes += count;
  else runs.push({ sources, prefixes: count });
}

/** Sources in one piece of text. */
const sourcesAtOnce = 5_000;

function* endOfOrigin(runs: readonly SourceRun[]): Generator<string> {
  if (runs.length === 0) return yield ']}';
  let before = '],"sources":[';
  for (const { sources, prefixes } of runs) {
    for (let left = prefixes; left > 0; left -= sourcesAtOnce) {
      yield `${before}${Array(Math.min(left, sourcesAtOnce)).fill(`"${sources}"`).join()}`;
      before = ',';
    }
  }
  yield ']}';
}
