import type { ShownObject } from '../api/objects.js';
import { allAnnotations, type Found, search, searchParameters } from '../api/search.js';
import { type FoundWords, type NamedObject, suggest } from '../api/words.js';
import { amount } from '../design/format.js';
import { useLoad } from '../design/load.js';
import { Messages } from '../design/messages.js';
import { ObjectLink } from '../design/object-link.js';
import { CopyObject } from '../object/copy-object.js';
import { ObjectView } from '../object/object-view.js';
import { type Moment, momentOf } from '../past/past.js';
import { namePath, paths } from '../paths.js';
import { Link } from '../router.js';
import { answerOf, answersFirst } from './answer.js';
import { AnswerCard } from './answer-card.js';
import { type SearchInterpretation, wordsOf } from './interpretation.js';
import { emptyQuestion, pageSize, type Question, queryOf, writeQuestion } from './question.js';
import { ShowResult } from './result-region.js';
import { isBeginning } from './search-suggestions.js';
import { BegunResult, findWords, WordsResult } from './words-result.js';

interface ResultProps {
  /** As in the address. */
  readonly question: Question;
  readonly meaning: SearchInterpretation;
}

/** The results of the searches of a question. */
interface Answered {
  /** The search that found something, or the last one. */
  readonly search: Question;
  readonly found: Found;
  /** When the searches found nothing: the matches of its words. */
  readonly words?: FoundWords;
  /** When its words find nothing either: the objects that begin with it. */
  readonly begun?: readonly NamedObject[];
}

/** The answer to a question: a summary, then the objects. */
export function Result({ question, meaning }: ResultProps) {
  const loaded = useLoad('', (signal) => answer(meaning, signal));
  return (
    <ShowResult of={loaded}>
      {(answered) => <Objects question={question} meaning={meaning} answered={answered} />}
    </ShowResult>
  );
}

async function answer({ searches, resource }: SearchInterpretation, signal: AbortSignal): Promise<Answered> {
  const [first, ...others] = searches;
  let answered = { search: first, found: await search(queryFor(first, resource), signal) };
  for (const other of first.offset === 0 ? others : []) {
    if (answered.found.objects.length > 0) break;
    answered = { search: other, found: await search(queryFor(other, resource), signal) };
  }
  const isAnswered = answered.found.objects.length > 0 || resource !== undefined;
  return isAnswered ? answered : { ...answered, ...(await otherwise(answered.search, signal)) };
}

/** The nearest matches of a question that found nothing. Without them there is still an answer. */
async function otherwise(requested: Question, signal: AbortSignal): Promise<Pick<Answered, 'words' | 'begun'>> {
  const inWords = wordsOf(requested);
  if (inWords === undefined) return {};
  const words = await findWords(inWords, signal).catch(() => undefined);
  if (words && words.found.length > 0) return { words };
  const hasFilters = requested.types.length > 0 || requested.source !== '';
  return hasFilters || !isBeginning(requested.text)
    ? {}
    : { begun: await suggest(requested.text, signal).catch(() => []) };
}

function queryFor(requested: Question, resource: SearchInterpretation['resource']) {
  return { ...queryOf(requested), annotations: resource && requested.asOf === '' ? allAnnotations : [] };
}

function Objects({ question, meaning: { resource }, answered }: ResultProps & { readonly answered: Answered }) {
  const { search: requested, found, words, begun = [] } = answered;
  const moment = momentOf(requested.asOf);
  if (words) return <WordsResult question={requested} words={words} />;
  if (begun.length > 0) return <BegunResult text={requested.text} begun={begun} />;
  const short = resource && hasAnswer(requested) ? answerOf(resource, found.objects) : undefined;
  const objects = distinct(answersFirst(resource, found.objects));
  // The summary names them.
  const isFolded = ({ name }: ShownObject) => short !== undefined && contactTypes.includes(name.type);
  const folded = objects.filter(isFolded);
  return (
    <>
      {short && <AnswerCard term={requested.text} answer={short} />}
      <div class="row spread soft small">
        <span role="status">{countText(found, requested)}</span>
        <RawResult requested={requested} resource={resource} />
      </div>
      <Messages messages={found.messages} />
      {found.objects.length === 0 && <Nothing question={question} requested={requested} />}
      <Cards objects={objects.filter((object) => !isFolded(object))} moment={moment} />
      {folded.length > 0 && (
        <details>
          <summary>{amount(folded.length, 'contact or organisation', 'contacts and organisations')}</summary>
          <div class="stack">
            <Cards objects={folded} moment={moment} />
          </div>
        </details>
      )}
      <Pages question={question} found={found} />
    </>
  );
}

const contactTypes: readonly string[] = ['person', 'role', 'organisation'];

interface CardsProps {
  readonly objects: readonly ShownObject[];
  readonly moment: Moment | undefined;
}

function Cards({ objects, moment }: CardsProps) {
  return (
    <>
      {objects.map((object) => (
        <article key={namePath(object.name)} class="card stack">
          <header class="row spread">
            <h2 class="row object-title">
              <span class="chip">{object.name.type}</span>
              <ObjectLink name={object.name} past={moment} />
            </h2>
            <CopyObject name={object.name} past={moment} />
          </header>
          <ObjectView object={object} moment={moment} />
        </article>
      ))}
    </>
  );
}

/** Whether a search finds everything for a summary. */
function hasAnswer({ types, level, offset, asOf }: Question): boolean {
  return types.length === 0 && (level === '' || level === 'exact') && offset === 0 && asOf === '';
}

/** Omits contacts and organisations, which every object that names them repeats. */
function distinct(objects: readonly ShownObject[]): ShownObject[] {
  return [...new Map(objects.map((object) => [namePath(object.name), object])).values()];
}

function countText({ objects }: Found, { offset, inverse }: Question): string {
  if (objects.length === 0) return 'Nothing found';
  const by = inverse.length > 0 ? ` by ${inverse.join(' or ')}` : '';
  const count = amount(distinct(objects).length, 'object') + by;
  // The places of objects in a result count those that it repeats.
  const page = Math.floor(offset / pageSize) + 1;
  if (objects.length >= pageSize) return `${count} on page ${page}; there may be more`;
  return page === 1 ? count : `${count} on page ${page}, the last one`;
}

interface RawResultProps {
  readonly requested: Question;
  readonly resource: SearchInterpretation['resource'];
}

/** The same result in the REST interface. */
function RawResult({ requested, resource }: RawResultProps) {
  const parameters = searchParameters(queryFor(requested, resource));
  return (
    <span class="row">
      The same as
      <a href={`/search.txt?${parameters}`}>text</a>
      <a href={`/search.json?${parameters}`}>JSON</a>
      <a href={`/search.xml?${parameters}`}>XML</a>
    </span>
  );
}

function Nothing({ question, requested }: { readonly question: Question; readonly requested: Question }) {
  const isFiltered =
    String(writeQuestion(question)) !== String(writeQuestion({ ...emptyQuestion, text: question.text }));
  return (
    <div class="card">
      <h2>No objects found for “{requested.text}”</h2>
      {isFiltered ? (
        <p>
          <Link to={paths.query(new URLSearchParams({ q: question.text }))}>Search without filters</Link>
        </p>
      ) : (
        <p>Names are compared by whole words: try another spelling, an address, or a handle.</p>
      )}
    </div>
  );
}

function Pages({ question, found }: { readonly question: Question; readonly found: Found }) {
  const at = (offset: number) => paths.query(writeQuestion({ ...question, offset }));
  const { offset } = question;
  return (
    <nav class="row" aria-label="Pages of the result">
      {offset > 0 && (
        <Link class="button" to={at(Math.max(0, offset - pageSize))}>
          Previous
        </Link>
      )}
      {found.objects.length >= pageSize && (
        <Link class="button" to={at(offset + pageSize)}>
          Next
        </Link>
      )}
    </nav>
  );
}
