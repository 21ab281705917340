import { createHash } from 'node:crypto';
import { cleanValue, firstValueOf, type Message, messages, type RpslObject } from '@cadastre/rpsl';
import { isPublicAddress } from '@cadastre/service';
import type { Answer, DecodedPacket, DnskeyData, RecordType } from 'dns-packet';
import { type ValuePlace, valuePlaces } from '../domain/places.js';
import type { DelegationCheck } from '../write/write.js';
import { type DnsServer, type QueryOptions, queryDns } from './query.js';

export interface DelegationCheckOptions {
  /** Resolves the addresses of name servers. */
  readonly resolver: DnsServer;
  /** Port of the name servers. */
  readonly port: number;
  /** For the whole check. */
  readonly timeoutMs: number;
  /** Whether to query name servers on loopback and private addresses. */
  readonly allowSpecialAddresses: boolean;
  /** Called when a check fails unexpectedly. */
  readonly onFailure: (error: unknown) => void;
}

/** Maximum name servers to query: no real domain has more, and each gets packets from this host. */
const maxServers = 32;
const maxAddresses = 4;

/** Rule G-DNS-CHECK: every name server answers authoritatively for the zone, and `ds-rdata` matches one of its keys. */
export function createDelegationCheck(options: DelegationCheckOptions): DelegationCheck {
  return async (domain) => {
    const signal = AbortSignal.timeout(options.timeoutMs);
    try {
      return await checkDelegation({ ...options, attemptMs: options.timeoutMs / 4, signal }, domain);
    } catch (error) {
      if (signal.aborted) return [messages.dnsCheckTimedOut()];
      options.onFailure(error);
      return [messages.dnsCheckFailed()];
    }
  };
}

type Check = DelegationCheckOptions & QueryOptions;

async function checkDelegation(check: Check, domain: RpslObject): Promise<Message[]> {
  const zones = zonesOf(firstValueOf(domain, 'domain')!.toLowerCase());
  const servers = valuePlaces(domain, 'nserver').slice(0, maxServers);
  const found = await Promise.all(servers.map(async (place) => ({ place, ...(await findServer(check, place)) })));
  const problems = await Promise.all(found.map((server) => checkServer(check, server, zones)));
  const said = problems.flat();
  return said.length > 0
    ? said
    : checkSigners(
        check,
        domain,
        found.flatMap(({ addresses }) => addresses),
        zones,
      );
}

interface NameServer {
  readonly host: string;
  readonly addresses: readonly string[];
}

/** Uses the glue addresses if there are any, else resolves the name. */
async function findServer(check: Check, { value }: ValuePlace): Promise<NameServer> {
  const [host = '', glue] = value.split(' ');
  const known = glue === undefined ? await resolve(check, host) : [glue];
  return { host, addresses: known.filter((one) => check.allowSpecialAddresses || isPublicAddress(one)) };
}

async function resolve(check: Check, host: string): Promise<string[]> {
  // DNS packets cannot hold longer labels.
  if (host.split('.').some((label) => label.length > 63)) return [];
  const ask = (type: RecordType) => queryDns(check.resolver, { name: host, type, recursive: true }, check);
  const found = await Promise.all([ask('A'), ask('AAAA')]);
  if (found.includes(undefined)) throw new Error('the resolver does not respond');
  return found
    .flatMap((answer) => answer?.answers ?? [])
    .flatMap((record) => (record.type === 'A' || record.type === 'AAAA' ? [record.data] : []))
    .slice(0, maxAddresses);
}

async function checkServer(
  check: Check,
  { place, host, addresses }: NameServer & { place: ValuePlace },
  zones: readonly string[],
): Promise<Message[]> {
  if (addresses.length === 0) return [messages.nameServerUnknown(host, place)];
  const questions = addresses.flatMap((address) => zones.map((zone) => ({ address, zone })));
  const answers = await Promise.all(
    questions.map(async (one) => ({ ...one, answer: await ask(check, one.address, one.zone, 'SOA') })),
  );
  const reached = answers.filter(({ answer }) => answer !== 'unreachable');
  const judged = reached.length > 0 ? reached : answers.slice(0, 1);
  return judged.flatMap(({ address, zone, answer }) => {
    if (typeof answer !== 'object') return [messages.nameServerSilent(host, address, place)];
    return isAuthority(answer, zone) ? [] : [messages.nameServerLame(host, address, zone, place)];
  });
}

/** "unreachable" when this host has no route to the address (for example no IPv6): the server is not at fault. */
async function ask(check: Check, address: string, name: string, type: RecordType) {
  try {
    return await queryDns({ address, port: check.port }, { name, type, recursive: false }, check);
  } catch (error) {
    check.signal.throwIfAborted();
    if (['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL'].includes(String((error as { code?: unknown }).code))) {
      return 'unreachable' as const;
    }
    throw error;
  }
}

function isAuthority(answer: DecodedPacket, zone: string): boolean {
  const isSoa = (record: Answer) => record.type === 'SOA' && record.name.toLowerCase() === zone;
  return answer.flag_aa && (answer.answers ?? []).some(isSoa);
}

/** Takes the keys from the first server that returns any. */
async function checkSigners(
  check: Check,
  domain: RpslObject,
  addresses: readonly string[],
  zones: readonly string[],
): Promise<Message[]> {
  const signers = valuePlaces(domain, 'ds-rdata');
  const said =
    signers.length === 0
      ? []
      : zones.map(async (zone) => {
          const keys = await keysOf(check, addresses, zone);
          return signers
            .filter((place) => !matchesKey(cleanValue(place.attribute), zone, keys))
            .map((place) => messages.signerUnknown(place.value, zone, place));
        });
  return (await Promise.all(said)).flat();
}

async function keysOf(check: Check, addresses: readonly string[], zone: string): Promise<DnskeyData[]> {
  for (const address of addresses) {
    const answer = await ask(check, address, zone, 'DNSKEY');
    const records = typeof answer === 'object' ? (answer.answers ?? []) : [];
    const keys = records.flatMap((record) => (record.type === 'DNSKEY' ? [record.data] : []));
    if (keys.length > 0) return keys;
  }
  return [];
}

/** The zones that a domain object delegates: itself, or the first and last of a range ("0-63.2.0.192.in-addr.arpa"). */
function zonesOf(domain: string): string[] {
  const [, first, last, parent] = /^(\d+)-(\d+)(\..+)$/.exec(domain) ?? [];
  return parent === undefined ? [domain] : [...new Set([`${first}${parent}`, `${last}${parent}`])];
}

const hashes: Readonly<Record<string, string>> = { '1': 'sha1', '2': 'sha256', '4': 'sha384' };

/**
 * Whether one of a zone's keys matches `ds-rdata` ("keytag algorithm digesttype digest", RFC 4034, section 5). Accepts
 * digest types that this service cannot compute.
 */
function matchesKey(dsRdata: string, zone: string, keys: readonly DnskeyData[]): boolean {
  const [, algorithm, digestType = '', ...digest] = dsRdata.split(' ');
  const hash = hashes[digestType];
  const wanted = digest.join('').toLowerCase();
  return (
    hash === undefined ||
    keys.some((key) => String(key.algorithm) === algorithm && digestOf(hash, zone, key) === wanted)
  );
}

function digestOf(hash: string, zone: string, { flags, algorithm, key }: DnskeyData): string {
  const head = Buffer.from([flags >> 8, flags & 255, 3, algorithm]);
  return createHash(hash).update(wireName(zone)).update(head).update(key).digest('hex');
}

/** A name in wire format: each label after its length, the root last. */
function wireName(name: string): Buffer {
  const labels = name.toLowerCase().split('.');
  return Buffer.concat([
    ...labels.map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.of(0),
  ]);
}
