import { type AddressRange, parseNetwork } from '@cadastre/rpsl';
import { type GivenLimits, type LimitName, type LimitValues, limitNames, unlimited, valuesOf } from './policy.js';

/** The limits of an address, and when a client that continues after refusals is blocked, and for how many seconds. */
const usual = {
  'personal-objects': 5_000,
  queries: 50,
  searches: 20,
  updates: 10,
  'concurrent-requests': 100,
  'concurrent-searches': 10,
  'concurrent-updates': 10,
  'concurrent-streams': 3,
  'search-objects': 10_000,
  'bulk-resources': 20_000,
  'failed-credentials': 300,
  'unknown-accounts': 30,
  bytes: 64_000_000,
  processing: 30_000,
  'block-after': 60,
  'block-time': 3_600,
};

type Numbers = Readonly<Record<keyof typeof usual, number>>;

const names = Object.keys(usual) as (keyof Numbers)[];

/** Refusals are counted, at most one each second, in a window of so many seconds: `block-after` cannot be higher. */
const maxBlockAfter = 600;

/** The usual limits, as text. */
export const usualLimits = names.map((name) => `${name}=${usual[name]}`).join(' ');

/** Limits of an account are this many times those of an address: its owner is known and can be asked to stop. */
const accountFactor = 10;
const widerForAccounts: ReadonlySet<LimitName> = new Set([
  'queries',
  'searches',
  'updates',
  'search-objects',
  'bulk-resources',
  'bytes',
  'processing',
]);

interface Reading {
  /** The limits of one network, or of the account with this name in lower case. */
  readonly who: AddressRange | string;
  readonly limits: LimitValues;
}

/**
 * Reads "queries=100 block-after=0, 192.0.2.0/24 queries=-1, account:NAME queries=500, 198.51.100.7 exempt". Later entries
 * come before earlier ones. On failure returns a sentence about every entry that cannot be read.
 */
export function readLimits(text: string): { value: GivenLimits } | { problem: string } {
  const entries = text.split(',').map((entry) => entry.split(/\s+/).filter(Boolean));
  const isForAll = ([first]: readonly string[]) => first !== undefined && /^[a-z-]+=/.test(first);
  const forAll = entries.filter(isForAll);
  const forSome = entries.filter((words) => words.length > 0 && !isForAll(words));
  const chosen = forAll.flat().map((pair) => ({ pair, change: readChange(pair, names) }));
  const problems = chosen.flatMap(({ pair, change }) =>
    change ? [] : `"${pair}" is none of NAME=NUMBER with ${expected(names)}`,
  );
  const numbers: Numbers = {
    ...usual,
    ...Object.fromEntries(chosen.flatMap(({ change }) => (change ? [change] : []))),
  };
  if (numbers['block-after'] > maxBlockAfter) problems.push(`block-after is at most ${maxBlockAfter}`);
  const ofAddress = valuesOf((name) => numbers[name]);
  const ofAccount = valuesOf((name) => ofAddress[name] * (widerForAccounts.has(name) ? accountFactor : 1));
  const networks: [AddressRange, LimitValues][] = [];
  const accounts = new Map<string, LimitValues>();
  for (const words of forSome) {
    const read = readOverride(words, ofAddress, ofAccount);
    if (typeof read === 'string') problems.push(read);
    else if (typeof read.who === 'string') accounts.set(read.who, read.limits);
    else networks.push([read.who, read.limits]);
  }
  if (problems.length > 0) return { problem: problems.join('; ') };
  const [blockAfter, blockTime] = [Math.max(0, numbers['block-after']), Math.max(0, numbers['block-time'])];
  return { value: { ofAddress, ofAccount, networks, accounts, blockAfter, blockTime } };
}

/** The limits of one client, or a sentence about what is wrong. */
function readOverride(
  [whoText = '', ...pairs]: readonly string[],
  ofAddress: LimitValues,
  ofAccount: LimitValues,
): Reading | string {
  const who = whoText.startsWith('account:') ? whoText.slice(8).toLowerCase() : parseNetwork(whoText);
  if (who === undefined || who === '') return `"${whoText}" is neither an address, a prefix nor account:NAME`;
  if (pairs.join() === 'exempt' && typeof who !== 'string') return { who, limits: unlimited };
  const changes = pairs.map((pair) => readChange(pair, limitNames));
  if (changes.includes(undefined) || pairs.length === 0) {
    return `"${[whoText, ...pairs].join(' ')}": expected after ${whoText} is "exempt", or NAME=NUMBER with ${expected(limitNames)}`;
  }
  const given = Object.fromEntries(changes.filter((change) => change !== undefined));
  const unchanged = typeof who === 'string' ? ofAccount : ofAddress;
  return { who, limits: valuesOf((name) => given[name] ?? unchanged[name]) };
}

function readChange<N extends string>(pair: string, known: readonly N[]): [N, number] | undefined {
  const [, nameText, number] = /^([a-z-]+)=(-1|\d{1,10})$/.exec(pair) ?? [];
  const name = known.find((one) => one === nameText);
  return name && [name, Number(number)];
}

function expected(known: readonly string[]): string {
  return `one of ${known.join(', ')}`;
}
