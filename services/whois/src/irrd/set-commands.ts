import { parseAsNumber, parseSetName } from '@cadastre/rpsl';
import { formatMessage, ServiceError } from '@cadastre/service';
import type { Answer, Connection, ConnectionState } from '../dialect.js';
import { createExpansionMemory } from '../expansion-memory.js';
import {
  allMembers,
  asNumbersOf,
  directMembers,
  directSize,
  expandFairly,
  fewMembers,
  prefixesOf,
  type Selection,
} from '../sets/expansion.js';
import type { Family } from '../sets/prefix-list.js';
import { pausing } from '../turns.js';
import {
  type Command,
  data,
  done,
  failure,
  type LargeAnswer,
  type Prefixes,
  prefixData,
  type SetParts,
  tooLarge,
  unavailableSources,
  wordData,
} from './answers.js';

/** The search scope that a connection has chosen. */
function selectionOf(
  { index, turns, maxMembers }: SetParts,
  { irrd }: ConnectionState,
  { network, signal }: Connection,
): Selection {
  const pause = pausing(turns, network, signal);
  const sources = index.resolve(irrd.sources);
  const { routeSources = sources, excludedSets } = irrd;
  return { index, sources, routeSources, excluded: excludedSets, maxMembers, pause };
}

/** `!gAS64500`, `!6AS64500`: the prefixes of a family with an origin. */
export function prefixesByOrigin(parts: SetParts, family: Family): Command {
  return (argument, state, connection) => {
    const origin = readOrigin(argument);
    if (typeof origin === 'string') return { body: failure(origin), state };
    const selection = selectionOf(parts, state, connection);
    const words = prefixesOf(selection, [origin], family);
    const answer = (found: Uint32Array) => ({
      body: prefixData([{ family, words: found }], largeAnswer(parts, selection, connection)),
      state,
    });
    return words instanceof Promise ? words.then(answer) : answer(words);
  };
}

/** An AS number, or the error. */
function readOrigin(argument: string): number | string {
  const text = argument.toUpperCase();
  if (!text.startsWith('AS')) return `Invalid AS number ${text}: must start with "AS"`;
  if (!/^AS\d+$/.test(text)) return `Invalid AS number ${text}: number part is not numeric`;
  return (
    parseAsNumber(`AS${text.slice(2).replace(/^0+(?=\d)/, '')}`) ??
    `Invalid AS number ${text}: valid range is 0-4294967295`
  );
}

/** `!aAS-SET`, `!a4AS-SET`, `!a6AS-SET`: the prefixes of all AS numbers of a set. */
export function prefixesOfSet(parts: SetParts): Command {
  return unlessTooLarge(async (argument, state, connection) => {
    const [, digit = '', given = ''] = /^([46]?)(.*)$/s.exec(argument)!;
    if (given === '') return { body: failure('Missing required set name for A query'), state };
    const families: readonly Family[] = digit === '4' ? [4] : digit === '6' ? [6] : [4, 6];
    const { selection, name, failed } = requestedSet(parts, state, connection, given);
    if (failed !== undefined) return { body: failed, state };
    const lists = await expand(parts, connection, selection, async (bounded) => {
      const asNumbers = await asNumbersOf(bounded, name);
      const found: Prefixes[] = [];
      for (const family of asNumbers === undefined ? [] : families) {
        found.push({ family, words: await prefixesOf(bounded, asNumbers!, family) });
      }
      return found;
    });
    return { body: prefixData(lists, largeAnswer(parts, selection, connection)), state };
  });
}

/**
 * The requested set: `SOURCE::AS-SET` is answered from that source alone, or from those of an alias, as after `!s`.
 * Otherwise a set in it that the chosen sources lack would be missing. Routes are from the sources chosen for them.
 */
function requestedSet(parts: SetParts, state: ConnectionState, connection: Connection, given: string) {
  const chosen = selectionOf(parts, state, connection);
  const [, source, name] = /^([^:]+)::(.+)$/s.exec(given) ?? [];
  if (source === undefined || name === undefined) return { selection: chosen, name: given, failed: undefined };
  const { index } = parts;
  const sources = index.resolve([source]);
  const isKnown = sources.every((one) => index.selectable.includes(one));
  const { routeSources = sources } = state.irrd;
  return { selection: { ...chosen, sources, routeSources }, name, failed: isKnown ? undefined : unavailableSources };
}

/**
 * Sends why a set is not expanded, and closes the connection: programs that continue would make a filter of the rest.
 */
function unlessTooLarge(command: Command): Command {
  const answer = (error: unknown, state: ConnectionState): Answer => {
    if (!(error instanceof ServiceError) || error.kind !== 'out-of-range') throw error;
    return { body: tooLarge(error.messages.map(formatMessage).join('; ')), state: { ...state, staysOpen: false } };
  };
  return (argument, state, connection) => {
    try {
      const answered = command(argument, state, connection);
      return answered instanceof Promise ? answered.catch((error) => answer(error, state)) : answered;
    } catch (error) {
      return answer(error, state);
    }
  };
}

function largeAnswer(
  { memory, clientOf }: SetParts,
  { pause }: Selection,
  { client, giveUp }: Connection,
): LargeAnswer {
  return { memory, client: clientOf(client), pause, giveUp };
}

/** Expands a set as one of the expansions of a client. Its memory counts until it has ended. */
function expand<T>(
  { slots, clientOf, memory }: SetParts,
  { client, signal }: Connection,
  selection: Selection,
  work: (selection: Selection) => Promise<T>,
): Promise<T> {
  const id = clientOf(client);
  const held = createExpansionMemory(memory, id);
  return expandFairly(slots, id, signal, held, selection, (bounded) => work(bounded).finally(held.release));
}

/** Above this number, members are sorted in parts, as in an expansion. */
const fewMembersBound = 500;

/** `!iSET`: the members of a set; `!iSET,1`: including those of the sets in it. */
export function members(parts: SetParts): Command {
  return unlessTooLarge((argument, state, connection) => {
    const isRecursive = argument.endsWith(',1');
    const given = isRecursive ? argument.slice(0, -2) : argument;
    const { selection, name, failed } = requestedSet(parts, state, connection, given);
    if (failed !== undefined) return { body: failed, state };
    const around = largeAnswer(parts, selection, connection);
    const hasOperators = parseSetName(name)?.type === 'route-set';
    const answer = (found: readonly string[] = []): Answer => {
      return { body: wordData(hasOperators ? found.map(readable) : found, around), state };
    };
    if (!isRecursive && directSize(selection, name) <= fewMembersBound) return answer(fewMembers(selection, name));
    const list = isRecursive ? allMembers : directMembers;
    return expand(parts, connection, selection, (bounded) => list(bounded, name)).then(answer);
  });
}

/** A member with `^n-n` instead of `^n`, which means the same: bgpq4 ignores prefixes with the latter. */
function readable(member: string): string {
  return member.includes('^') ? member.replace(/\^(\d+)$/, '^$1-$1') : member;
}

/** `!eA,B`: sets that are not expanded as members of others; `!e-lc` shows them, `!e` alone resets them. */
export const excludeSets: Command = (argument, state) => {
  const { excludedSets } = state.irrd;
  if (argument === '-lc') {
    const names = [...excludedSets].map((name) => name.toUpperCase());
    return { body: names.length === 0 ? done : data(names.join(',')), state };
  }
  const names = argument.split(',').map((name) => name.trim().toLowerCase());
  const excluded = new Set(names.filter((name) => name !== ''));
  return { body: done, state: { ...state, irrd: { ...state.irrd, excludedSets: excluded } } };
};
