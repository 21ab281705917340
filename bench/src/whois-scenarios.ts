import { generateLargeSet, largeSetName, type RegistryOptions, type RegistryPlan } from '@cadastre/synthetic';
import { missingHandle, networkOf, objectOf, sampledAddresses, valuesOf } from './scenarios.ts';

/** One kind of line for port 43; the n-th one is the same in every run. */
export interface WhoisScenario {
  readonly name: string;
  question(n: number): Question;
}

/** A line, and how its answers look. */
export interface Question {
  readonly line: string;
  readonly answers: AnswerForm;
}

/** How a program recognises the end of an answer, and its kind. */
interface AnswerForm {
  /** The last three bytes of each. */
  readonly end: string;
  /** Whether it is the expected one, by the first bytes. */
  isExpected(first: Buffer): boolean;
}

/** The answers to IRRd-style commands that find something. */
const commandAnswers: AnswerForm = {
  end: '\nC\n',
  isExpected: (first) => first.toString('latin1', 0, 1) === 'A',
};

/** RIPE-style answers end with two empty lines. */
const queryAnswers: AnswerForm = { end: '\n\n\n', isExpected: (first) => !first.includes('%ERROR') };
const nothingFound: AnswerForm = { ...queryAnswers, isExpected: (first) => first.includes('%ERROR:101') };

/** Lines of port 43. */
export interface WhoisScenarios {
  /** Objects of all types by key. */
  readonly keys: WhoisScenario;
  /** Networks of the whole registry. */
  readonly networks: WhoisScenario;
  /** Addresses with all that encloses them, and the contacts. */
  readonly addresses: WhoisScenario;
  /** Routes by AS number. */
  readonly routesOf: WhoisScenario;
  /** Objects that do not exist. */
  readonly missing: WhoisScenario;
  /** The members of sets. */
  readonly members: WhoisScenario;
  /** The prefixes of AS numbers, one request after the other; for IPv4 and for IPv6. */
  readonly origins: WhoisScenario;
  readonly origins6: WhoisScenario;
  /** All prefixes of a large set (`setForFilters`). */
  readonly largeSet: WhoisScenario;
}

/** Queries, and commands of programs that make filters; the registry has an answer to each, except to `missing`. */
export function whoisScenarios(plan: RegistryPlan): WhoisScenarios {
  const origins = valuesOf(plan, 'route', 'origin');
  const origins6 = valuesOf(plan, 'route6', 'origin');
  const sets = valuesOf(plan, 'as-set', 'as-set');
  const addresses = sampledAddresses(plan);
  const of = (values: readonly string[], n: number) => values[n % values.length]!;
  return {
    keys: scenario('`-r` of a key', queryAnswers, (n) => `-r ${objectOf(plan, n).key}`),
    networks: scenario('`-r -x` of a network', queryAnswers, (n) => `-r -x -T inetnum ${networkOf(plan, n)}`),
    addresses: scenario('an address, default flags', queryAnswers, (n) => of(addresses, n)),
    routesOf: scenario('`-i origin`', queryAnswers, (n) => `-K -r -T route -i origin ${of(origins, n)}`),
    missing: scenario('a missing object', nothingFound, (n) => `-r ${missingHandle(plan.source, n)}`),
    members: scenario('`!i`', commandAnswers, (n) => `!i${of(sets, n)}`),
    origins: scenario('`!g`', commandAnswers, (n) => `!g${of(origins, n)}`),
    origins6: scenario('`!6`', commandAnswers, (n) => `!6${of(origins6, n)}`),
    largeSet: scenario('`!a4` of a large set', commandAnswers, () => `!a4${largeSetName}`),
  };
}

function scenario(name: string, answers: AnswerForm, line: (n: number) => string): WhoisScenario {
  return { name, question: (n) => ({ line: line(n), answers }) };
}

const prefixesOfAsNumber = 45;
const maxPrefixesOfSet = 900_000;

/** The objects of the large set: as many prefixes as the registry has objects, up to those of the largest real set. */
export function setForFilters({ objects, seed, source }: RegistryOptions): Iterable<string> {
  const prefixes = Math.min(objects, maxPrefixesOfSet);
  const asNumbers = Math.ceil(prefixes / prefixesOfAsNumber);
  return generateLargeSet({ asNumbers, prefixes, seed, source, maintainer: 'EXAMPLE-MNT', contact: `AE1-${source}` });
}
