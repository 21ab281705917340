import { isRecord } from '@cadastre/nrtm';
import type { ReadOrigin } from '../origin.js';
import { encodingFaults, flagFaults, sourceFaults, unknownFaults, urlFaults } from '../origin-members.js';
import { nrtm3Origin } from './origin.js';

const members = ['host', 'port', 'source', 'dump', 'serial', 'encoding', 'ownNetwork'];

/**
 * Reads `{"host", "port"?, "source", "dump", "serial", "encoding"?, "ownNetwork"?}`: the whois server that serves
 * changes (port 43 by default), the source's name there, the URLs of a dump (one, or a list of its files, each possibly
 * gzipped) and of the file with the serial of that dump, "latin1" (default) or "utf8" for the dump, and whether the
 * origin is in the operator's own network.
 */
export const readNrtm3Origin: ReadOrigin = (given) => {
  if (!isRecord(given)) return { ok: false, faults: ['must be an object'] };
  const { host, port = 43, source, dump, serial, encoding = 'latin1', ownNetwork = false, ...others } = given;
  const inOwnNetwork = ownNetwork === true;
  const dumps: readonly unknown[] = Array.isArray(dump) ? dump : [dump];
  const faults = [
    ...unknownFaults(others, members),
    ...(isHost(host) ? [] : ['host: must be the name or address of a whois server']),
    ...(isPort(port) ? [] : ['port: must be a number up to 65535']),
    ...sourceFaults(source),
    ...(dumps.length === 0 ? ['dump: must have a URL'] : dumps.flatMap((url) => urlFaults('dump', url, inOwnNetwork))),
    ...urlFaults('serial', serial, inOwnNetwork),
    ...encodingFaults(encoding),
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
      reach: { ownNetwork: inOwnNetwork },
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
