import { type ContestResult, type Figures, middleOf, totalCpuUs } from './contests.ts';
import { figure, paragraph, ratio, table } from './markdown.ts';
import { type Comparison, compare, median } from './statistics.ts';

interface About {
  readonly base: string;
  readonly head: string;
  readonly objects: number;
  readonly rounds: number;
  readonly seconds: number;
}

type Result = ContestResult<'base' | 'head'>;

/** The comparison of two commits as Markdown. */
export function quickReport(results: readonly Result[], { base, head, objects, rounds, seconds }: About): string {
  const foreign = results.flatMap(({ sides }) => [...sides.base, ...sides.head]).map((one) => one.foreignPercent);
  return [
    paragraph(
      `${head} compared with ${base}: ${objects.toLocaleString('en-GB')} objects, ${rounds} rounds of ${seconds} s. ` +
        `Other programs used ${figure(median(foreign))} % of the processors (at most ` +
        `${figure(Math.max(...foreign))} %). In brackets: the smallest and the largest ratio of a round.`,
    ),
    table(
      ['', 'base/s', 'head/s', 'rate ratio', '', 'base µs of CPU', 'head', 'CPU ratio', ''],
      results.map((one) => [
        one.name,
        ...cells(one, rateOf, ['slower', 'faster']),
        ...cells(one, cpuOf, ['less', 'more']),
      ]),
    ),
    failuresOf(results),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const rateOf = ({ perSecond }: Figures) => perSecond;
const cpuOf = totalCpuUs;

function cells({ sides }: Result, of: (figures: Figures) => number, words: readonly [below: string, above: string]) {
  const compared = compare(sides.head.map(of), sides.base.map(of));
  return [
    figure(of(middleOf(sides.base))),
    figure(of(middleOf(sides.head))),
    `${ratio(compared.ratio)} (${ratio(compared.lowest)} to ${ratio(compared.highest)})`,
    verdict(compared, words),
  ];
}

function verdict({ differs, ratio: value }: Comparison, [below, above]: readonly [below: string, above: string]) {
  if (!differs) return 'within noise';
  return value < 1 ? below : above;
}

function failuresOf(results: readonly Result[]): string {
  const failed = results.flatMap(({ name, sides }) => {
    const sum = (rounds: readonly Figures[]) => rounds.reduce((total, { failures }) => total + failures, 0);
    const [base, head] = [sum(sides.base), sum(sides.head)];
    return base + head === 0 ? [] : [`${name}: ${base} of base, ${head} of head`];
  });
  return failed.length === 0 ? '' : paragraph(`REQUESTS FAILED: ${failed.join('; ')}.`);
}
