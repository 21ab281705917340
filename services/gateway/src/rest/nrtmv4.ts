// /nrtmv4, /nrtmv4/:publishedSource/:publishedFile

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../context.js';
import type { RouteReply } from '../reply/send.js';
import type { Resource, Route, RouteRequest } from '../route.js';
import {
  anyFile,
  entriesOf,
  leadsToBucket,
  listPage,
  notificationFile,
  pageReply,
  publishedFileReply,
  publishedResource,
  refusals,
  topDirectory,
} from './published-files.js';

/** GET of the list of published sources; clients find a source by the text of its link. */
const mirroredSources: Route = {
  id: 'listMirroredSources',
  tag: 'Mirroring',
  summary: 'List the sources to mirror',
  doc: 'Returns a page with a link to the Update Notification File (RFC 10063) of each source that this registry publishes.',
  query: {},
  success: { doc: 'The page.', content: listPage },
  refusals: { ...leadsToBucket, 404: 'This registry publishes nothing.' },
  credentials: 'none',
  handler: listMirroredSources,
};

/** GET of a file of NRTMv4. */
const mirroringFile: Route<Record<'publishedSource' | 'publishedFile', string>> = {
  id: 'getMirroringFile',
  tag: 'Mirroring',
  summary: 'Fetch a file of NRTMv4',
  doc: 'Returns the Update Notification File of a source, or a snapshot or a delta that it names (RFC 10063). Poll the Update Notification File at most once a minute, with `If-None-Match`. All other files never change. The response has the unchanged bytes of the file, whose hash is in the Update Notification File; this one itself is compressed for clients that accept it.',
  query: {},
  success: { doc: 'The file.', content: anyFile, hasRanges: true },
  refusals,
  credentials: 'none',
  handler: (context, request) =>
    publishedFileReply(context, request, ['nrtmv4', request.params.publishedSource, request.params.publishedFile]),
};

export const nrtmv4Resources: readonly Resource[] = [
  { ...publishedResource, name: 'mirrored-sources', url: '/nrtmv4', GET: mirroredSources },
  { ...publishedResource, name: 'mirroring-file', url: '/nrtmv4/:publishedSource/:publishedFile', GET: mirroringFile },
];

async function listMirroredSources({ settings }: Context, { base }: RouteRequest): Promise<RouteReply> {
  const directory = topDirectory(settings, 'nrtmv4');
  const names = await entriesOf(directory);
  const found = await Promise.all(
    names.map(async (name) => ((await isFile(join(directory, name, notificationFile))) ? [name] : [])),
  );
  return pageReply(found.flat().map((name) => [`${base}/nrtmv4/${name}/${notificationFile}`, name]));
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
