import type { ShownObject } from '../api/objects.js';
import { type Found, search, searchParameters } from '../api/search.js';
import { Show, useLoad } from '../design/load.js';
import { Messages } from '../design/messages.js';
import { useTitle } from '../design/title.js';
import { ObjectCard } from '../object/object-card.js';
import { momentOf, pastText } from '../past/past.js';
import { PastBanner } from '../past/past-banner.js';
import { namePath, paths } from '../paths.js';
import { Link } from '../router.js';
import { emptyQuestion, pageSize, type Question, queryOf, readQuestion, writeQuestion } from './question.js';
import { SearchForm } from './search-form.js';

/** A query and its result; the URL is a permalink. */
export function QueryPage({ query }: { readonly query: URLSearchParams }) {
  const question = readQuestion(query);
  useTitle(question.text);
  const asked = String(writeQuestion(question));
  const moment = momentOf(question.asOf);
  return (
    <div class="stack">
      <h1 class="visually-hidden">Search</h1>
      <SearchForm key={asked} question={question} />
      <PastBanner now={paths.query(writeQuestion({ ...question, asOf: '' }))}>
        {moment && (
          <p>
            This search is in the state of <strong>{pastText(moment)}</strong>.
          </p>
        )}
      </PastBanner>
      {question.text === '' ? <p class="soft">Enter a search term.</p> : <Result key={asked} question={question} />}
    </div>
  );
}

function Result({ question }: { readonly question: Question }) {
  const loaded = useLoad('', (signal) => search(queryOf(question), signal));
  return (
    <Show of={loaded} what="the result">
      {(found) => (
        <>
          <div class="row spread soft small">
            <span role="status">{countText(found, question)}</span>
            <RawResult question={question} />
          </div>
          <Messages messages={found.messages} />
          {found.objects.length === 0 && <Nothing question={question} />}
          {distinct(found.objects).map((object) => (
            <ObjectCard
              key={`${object.name.source} ${object.name.type} ${object.name.key}`}
              object={object}
              moment={momentOf(question.asOf)}
            />
          ))}
          <Pages question={question} found={found} />
        </>
      )}
    </Show>
  );
}

/** Omits contacts and organisations, which every object that names them repeats. */
function distinct(objects: readonly ShownObject[]): ShownObject[] {
  return [...new Map(objects.map((object) => [namePath(object.name), object])).values()];
}

function countText({ objects }: Found, { offset }: Question): string {
  if (objects.length === 0) return 'Nothing found';
  const most = objects.length >= pageSize ? ' (there may be more)' : '';
  const count = distinct(objects).length;
  if (offset === 0 && most === '') return count === 1 ? '1 object' : `${count} objects`;
  return `Objects ${offset + 1} to ${offset + objects.length}${most}`;
}

/** The same result in the REST interface. */
function RawResult({ question }: { readonly question: Question }) {
  const parameters = searchParameters(queryOf(question));
  return (
    <span class="row">
      The same as
      <a href={`/search.txt?${parameters}`}>text</a>
      <a href={`/search.json?${parameters}`}>JSON</a>
      <a href={`/search.xml?${parameters}`}>XML</a>
    </span>
  );
}

function Nothing({ question }: { readonly question: Question }) {
  const isFiltered =
    String(writeQuestion(question)) !== String(writeQuestion({ ...emptyQuestion, text: question.text }));
  return (
    <div class="card">
      <h2>No objects found for “{question.text}”</h2>
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
