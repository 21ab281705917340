import { isRecord } from '@cadastre/nrtm';
import type { ReadOrigin } from '../origin.js';
import {
  classesFaults,
  classesOf,
  dumpUrlFaults,
  encodingFaults,
  flagFaults,
  sourceFaults,
  unknownFaults,
  urlsByClass,
} from '../origin-members.js';
import { dumpOrigin } from './origin.js';

const members = ['urls', 'source', 'serialUrl', 'every', 'encoding', 'classes', 'ownNetwork'];
const maxUrls = 100;

/**
 * Reads `{"urls", "source", "serialUrl"?, "every"?, "encoding"?, "classes"?, "ownNetwork"?}`: the URLs of the files of a
 * dump, each possibly gzipped, that together are the whole source (`{class}` stands for each of the classes); the
 * source's name there; the URL of a file with the serial of that dump, which changes with it; the time between two
 * checks ("30m", "6h", "1d"; default "1d"); "latin1" (default) or "utf8"; the classes to follow (default "all"); and
 * whether the origin is in the operator's own network.
 */
export const readDumpOrigin: ReadOrigin = (given) => {
  if (!isRecord(given)) return { ok: false, faults: ['must be an object'] };
  const { urls, source, serialUrl, every = '1d', encoding = 'latin1', ownNetwork = false, ...most } = given;
  const { classes = 'all', ...others } = most;
  const byClass = urlsByClass(Array.isArray(urls) ? urls : [], classes);
  const everyMs = typeof every === 'string' ? intervalOf(every) : undefined;
  const faults = [
    ...unknownFaults(others, members),
    ...(Array.isArray(urls) && urls.length > 0 && byClass.urls.length <= maxUrls
      ? byClass.urls.flatMap((url) => dumpUrlFaults('urls', url))
      : [`urls: must be a list of 1 to ${maxUrls} URLs`]),
    ...sourceFaults(source),
    ...(serialUrl === undefined ? [] : dumpUrlFaults('serialUrl', serialUrl)),
    ...encodingFaults(encoding),
    ...classesFaults(classes),
    ...byClass.faults,
    ...flagFaults('ownNetwork', ownNetwork),
  ];
  if (everyMs === undefined) faults.push('every: must be a time from "1m" to "30d"');
  if (faults.length > 0 || everyMs === undefined) return { ok: false, faults };
  return {
    ok: true,
    value: dumpOrigin({
      urls: byClass.urls.map((url) => new URL(url as string)),
      source: (source as string).toUpperCase(),
      ...(serialUrl === undefined ? {} : { serialUrl: new URL(serialUrl as string) }),
      everyMs,
      encoding: encoding as 'latin1' | 'utf8',
      classes: classesOf(classes),
      reach: { ownNetwork: ownNetwork === true },
    }),
  };
};

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function intervalOf(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (unitMs[unit ?? ''] ?? Number.NaN);
  return ms >= unitMs.m! && ms <= 30 * unitMs.d! ? ms : undefined;
}
