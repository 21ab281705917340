// /dumps, /dumps/:publishedSource/:dumpFile, /dumps/:publishedSource/split/:dumpFile

import { join } from 'node:path';
import type { Context } from '../context.js';
import type { RouteReply } from '../reply/send.js';
import type { Resource, Route, RouteRequest } from '../route.js';
import {
  anyFile,
  entriesOf,
  leadsToBucket,
  listPage,
  pageReply,
  publishedFileReply,
  publishedResource,
  refusals,
  topDirectory,
} from './published-files.js';

/** GET of the list of dumps. */
const dumpList: Route = {
  id: 'listDumps',
  tag: 'Mirroring',
  summary: 'List the dumps',
  doc: 'Returns a page with a link to each file of the daily dumps.',
  query: {},
  success: { doc: 'The page.', content: listPage },
  refusals: { ...leadsToBucket, 404: 'This registry publishes nothing.' },
  credentials: 'none',
  handler: listDumps,
};

const dumpQuery = {};
const dumpSuccess = { doc: 'The file.', content: anyFile, hasRanges: true } as const;

/** GET of a dump of a complete source, its serial, or its checksums. */
const dumpFile: Route<Record<'publishedSource' | 'dumpFile', string>> = {
  id: 'getDump',
  tag: 'Mirroring',
  summary: 'Fetch a dump',
  doc: 'Returns a file of the daily dump of a source: all public objects, in ISO 8859-1 or, with `.utf8` in its name, in UTF-8; the serial of the dump (`CURRENTSERIAL`); or the SHA-256 checksums of all files (`SHA256SUMS`). All files of a source have the state of the same moment.',
  query: dumpQuery,
  success: dumpSuccess,
  refusals,
  credentials: 'none',
  handler: (context, request) =>
    publishedFileReply(context, request, ['dumps', request.params.publishedSource, request.params.dumpFile]),
};

/** GET of a dump of the objects of one type. */
const splitDump: Route<Record<'publishedSource' | 'dumpFile', string>> = {
  ...dumpFile,
  id: 'getDumpOfType',
  summary: 'Fetch a dump of one type',
  doc: 'Returns the objects of one type of the daily dump of a source. All 21 types have a file, also those without objects; of the non-authoritative part aut-num, as-set, route and route6.',
  handler: (context, request) =>
    publishedFileReply(context, request, ['dumps', request.params.publishedSource, 'split', request.params.dumpFile]),
};

export const dumpResources: readonly Resource[] = [
  { ...publishedResource, name: 'dumps', url: '/dumps', GET: dumpList },
  { ...publishedResource, name: 'dump', url: '/dumps/:publishedSource/:dumpFile', GET: dumpFile },
  { ...publishedResource, name: 'split-dump', url: '/dumps/:publishedSource/split/:dumpFile', GET: splitDump },
];

async function listDumps({ settings }: Context, { base }: RouteRequest): Promise<RouteReply> {
  const directory = topDirectory(settings, 'dumps');
  const sources = await entriesOf(directory);
  const files = await Promise.all(
    sources.map(async (source) => {
      const [whole, split] = await Promise.all([
        entriesOf(join(directory, source)),
        entriesOf(join(directory, source, 'split')),
      ]);
      const names = [...whole.filter((name) => name !== 'split'), ...split.map((name) => `split/${name}`)];
      return names.map((name) => `${source}/${name}`);
    }),
  );
  return pageReply(files.flat().map((path) => [`${base}/dumps/${path}`, path]));
}
