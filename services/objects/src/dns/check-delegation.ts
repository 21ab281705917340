import type { Message, RpslObject } from '@cadastre/rpsl';
import { cleanValue, firstValueOf, messages } from '@cadastre/rpsl';
import type { Answer, DecodedPacket, DnskeyData, RecordType } from 'dns-packet';
import { type ValuePlace, valuePlaces } from '../domain/places.js';
import type { DelegationCheck } from '../write/write.js';
import { matchesKey } from './delegation-signer.js';
import { isPublicAddress } from './public-address.js';
import { type DnsServer, type Patience, queryDns } from './query.js';
import { zonesOf } from './zones.js';

export interface DelegationCheckOptions {
  /** Asked for the addresses of name servers. */
  readonly resolver: DnsServer;
  /** Port of the name servers. */
  readonly port: number;
  /** For the whole of a check. */
  readonly timeoutMs: number;
  /** Whether name servers on loopback and in private networks are asked. */
  readonly allowSpecialAddresses: boolean;
  /** Hears of checks that broke. */
  readonly onFailure: (error: unknown) => void;
}

/** Name servers beyond these are not asked: nobody has so many, and each gets packets from here. */
const maxServers = 32;
const maxAddresses = 4;

/** Rule G-DNS-CHECK: every name server answers with authority for the zone, and `ds-rdata` names a key of it. */
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

type Check = DelegationCheckOptions & Patience;

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

/** With the addresses that it brings, or those that are known. */
async function findServer(check: Check, { value }: ValuePlace): Promise<NameServer> {
  const [host = '', glue] = value.split(' ');
  const known = glue === undefined ? await resolve(check, host) : [glue];
  return { host, addresses: known.filter((one) => check.allowSpecialAddresses || isPublicAddress(one)) };
}

async function resolve(check: Check, host: string): Promise<string[]> {
  // Longer labels do not fit into a packet.
  if (host.split('.').some((label) => label.length > 63)) return [];
  const ask = (type: RecordType) => queryDns(check.resolver, { name: host, type, recursive: true }, check);
  const found = await Promise.all([ask('A'), ask('AAAA')]);
  if (found.includes(undefined)) throw new Error('the resolver does not answer');
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

/** "unreachable" when this machine has no way to such addresses (it may have no IPv6): that is not the server's fault. */
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

/** The keys are asked of the first server that tells any. */
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
