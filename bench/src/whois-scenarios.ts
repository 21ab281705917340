import { generateLargeSet, largeSetName, type RegistryOptions, type RegistryPlan } from '@cadastre/synthetic';
import { networkLookups, networkOf, type Scenario, valuesOf } from './scenarios.ts';

/** One kind of line for port 43; the n-th one is the same in every run. */
export interface WhoisScenario {
  readonly name: string;
  line(n: number): string;
  /** How answers look. */
  readonly answers: AnswerForm;
}

/** How a program tells an answer from another. */
interface AnswerForm {
  /** The last three bytes of each. */
  readonly end: string;
  /** Whether something was found, by the first bytes. */
  isExpected(first: Buffer): boolean;
}

/** The answers to IRRd-style commands. */
const commandAnswers: AnswerForm = {
  end: '\nC\n',
  isExpected: (first) => first.toString('latin1', 0, 1) === 'A',
};

/** RIPE-style answers end with two empty lines. */
const queryAnswers: AnswerForm = { end: '\n\n\n', isExpected: (first) => !first.includes('%ERROR') };

/** Lines of port 43, and the lookups by REST that find what the queries find. */
export interface WhoisScenarios {
  readonly lookups: WhoisScenario;
  readonly rest: Scenario;
  /** The prefixes of AS numbers, as a program asks for one after the other. */
  readonly origins: WhoisScenario;
  /** All prefixes of a large set (`setForFilters`). */
  readonly largeSet: WhoisScenario;
}

/** Queries for networks of the whole registry, and commands of programs that make filters. */
export function whoisScenarios(plan: RegistryPlan): WhoisScenarios {
  const { rest } = networkLookups(plan).find(({ name }) => name === 'uniform')!;
  const origins = valuesOf(plan, 'route', 'origin');
  return {
    rest,
    lookups: {
      name: '`-r -x` of a network',
      answers: queryAnswers,
      line: (n) => `-r -x -T inetnum ${networkOf(plan, n % rest.distinct)}`,
    },
    origins: { name: '`!g`', answers: commandAnswers, line: (n) => `!g${origins[n % origins.length]}` },
    largeSet: { name: '`!a4` of a large set', answers: commandAnswers, line: () => `!a4${largeSetName}` },
  };
}

const prefixesOfAsNumber = 45;
const maxPrefixesOfSet = 900_000;

/** The objects of the large set: as many prefixes as the registry has objects, up to those of the largest real set. */
export function setForFilters({ objects, seed, source }: RegistryOptions): Iterable<string> {
  const prefixes = Math.min(objects, maxPrefixesOfSet);
  const asNumbers = Math.ceil(prefixes / prefixesOfAsNumber);
  return generateLargeSet({ asNumbers, prefixes, seed, source, maintainer: 'EXAMPLE-MNT', contact: `AE1-${source}` });
}
