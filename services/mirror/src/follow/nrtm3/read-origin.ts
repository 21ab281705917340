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
import { nrtm3Origin } from './origin.js';

const members = ['host', 'port', 'source', 'dump', 'serial', 'encoding', 'classes', 'ownNetwork'];

/**
 * Reads `{"host", "port"?, "source", "dump", "serial", "encoding"?, "classes"?, "ownNetwork"?}`: the whois server that
 * serves changes (port 43 by default), the source's name there, the URLs of a dump (one, or a list of its files, each
 * possibly gzipped; `{class}` stands for each of the classes) and of the file with the serial of that dump, "latin1"
 * (default) or "utf8" for the dump, the classes to follow (default "all"), and whether the origin is in the operator's
 * own network.
 */
export const readNrtm3Origin: ReadOrigin = (given) => {
  if (!isRecord(given)) return { ok: false, faults: ['must be an object'] };
  const { host, port = 43, source, dump, serial, encoding = 'latin1', ownNetwork = false, ...most } = given;
  const { classes = 'all', ...others } = most;
  const { urls: dumps, faults: noClasses } = urlsByClass(Array.isArray(dump) ? dump : [dump], classes);
  const faults = [
    ...unknownFaults(others, members),
    ...(isHost(host) ? [] : ['host: must be the name or address of a whois server']),
    ...(isPort(port) ? [] : ['port: must be a number up to 65535']),
    ...sourceFaults(source),
    ...(Array.isArray(dump) && dump.length === 0 ? ['dump: must have a URL'] : []),
    ...dumps.flatMap((url) => dumpUrlFaults('dump', url)),
    ...dumpUrlFaults('serial', serial),
    ...encodingFaults(encoding),
    ...classesFaults(classes),
    ...noClasses,
    ...flagFaults('ownNetwork', ownNetwork),
  ];
  if (faults.length > 0) return { ok: false, faults };
  return {
    ok: true,
    value: nrtm3Origin({
      host: host as string,
      port: port as number,
      source: (source as string).toUpperCase(),
      dumps: dumps.map((url) => new URL(url as string)),
      serial: new URL(serial as string),
      encoding: encoding as 'latin1' | 'utf8',
      classes: classesOf(classes),
      reach: { ownNetwork: ownNetwork === true },
    }),
  };
};

function isHost(host: unknown): host is string {
  return (
    typeof host === 'string' && URL.parse(`whois://${bracketed(host)}:43`) !== null && /^[\w.:-]{1,253}$/.test(host)
  );
}

function isPort(port: unknown): boolean {
  return Number.isInteger(port) && (port as number) > 0 && (port as number) < 65_536;
}

/** A host in the form of URLs. */
function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
