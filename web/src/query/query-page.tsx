import { useEffect } from 'preact/hooks';
import { useFocusOnChange } from '../design/focus.js';
import { useTitle } from '../design/title.js';
import { momentOf, pastText } from '../past/past.js';
import { PastBanner } from '../past/past-banner.js';
import { paths } from '../paths.js';
import { navigate } from '../router.js';
import { type Interpretation, interpret } from './interpretation.js';
import { type Question, readQuestion, writeQuestion } from './question.js';
import { Result } from './result.js';
import { SearchForm } from './search-form.js';
import { WordsPage } from './words-result.js';

/** A query and its result; the URL is a permalink. */
export function QueryPage({ query }: { readonly query: URLSearchParams }) {
  const question = readQuestion(query);
  const meaning = interpret(question);
  useTitle(question.text.slice(0, 100));
  const requested = String(writeQuestion(question));
  const moment = momentOf(question.asOf);
  // After a search the focus is there, and the result takes it.
  useFocusOnChange(requested);
  useRedirect(meaning);
  return (
    <div class="stack">
      <h1 class="visually-hidden">Search</h1>
      <SearchForm key={`form ${requested}`} question={question} />
      <PastBanner now={paths.query(writeQuestion({ ...question, asOf: '' }))}>
        {moment && (
          <p>
            This search is in the state of <strong>{pastText(moment)}</strong>.
          </p>
        )}
      </PastBanner>
      <Answered key={requested} question={question} meaning={meaning} />
    </div>
  );
}

function Answered({ question, meaning }: { readonly question: Question; readonly meaning: Interpretation }) {
  // The form explains why, and offers what to do.
  if (meaning.kind !== 'search') return null;
  if (meaning.searches[0].text === '') return <p class="soft">Enter a search term.</p>;
  return question.by === 'words' ? <WordsPage question={question} /> : <Result question={question} meaning={meaning} />;
}

function useRedirect(meaning: Interpretation): void {
  const page = meaning.kind === 'page' ? meaning.page : '';
  useEffect(() => {
    // On the first page the application follows its address only after this effect.
    if (page !== '') queueMicrotask(() => navigate(page, { replace: true }));
  }, [page]);
}
