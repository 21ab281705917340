import { type FoundWords, type NamedObject, searchWords } from '../api/words.js';
import { amount, numberText } from '../design/format.js';
import { useLoad } from '../design/load.js';
import { ObjectLink } from '../design/object-link.js';
import { namePath, paths } from '../paths.js';
import { Link } from '../router.js';
import { pageSize, type Question, queryOf, writeQuestion } from './question.js';
import { ShowResult } from './result-region.js';

/** Searches for the words of a question. Throws a RequestFailed. */
export function findWords(question: Question, signal: AbortSignal): Promise<FoundWords> {
  const { text, types = [], sources = [] } = queryOf(question);
  return searchWords({ text, types, sources, after: question.after, limit: pageSize }, signal);
}

/** The answer to a question about words. */
export function WordsPage({ question }: { readonly question: Question }) {
  const loaded = useLoad('', (signal) => findWords(question, signal));
  return (
    <ShowResult of={loaded}>
      {(words) =>
        words.found.length > 0 ? (
          <WordsResult question={question} words={words} />
        ) : (
          <div class="card">
            <h2>No objects have the words “{question.text}”</h2>
            <p>All words must be in the same object. Try fewer words.</p>
          </div>
        )
      }
    </ShowResult>
  );
}

interface WordsResultProps {
  /** The original question: about words, or about a key or name that does not exist. */
  readonly question: Question;
  readonly words: FoundWords;
}

/** The objects that have the words, and how many of each type there are. */
export function WordsResult({ question, words: { counts, partial, found, cursor } }: WordsResultProps) {
  const total = counts.reduce((sum, { objects }) => sum + objects, 0);
  const at = (part: Partial<Question>) => paths.query(writeQuestion({ ...question, by: 'words', after: '', ...part }));
  return (
    <>
      <p class="soft small" role="status">
        {question.by !== 'words' && `No key and no whole name is “${question.text}”. `}
        {partial && 'More than '}
        {amount(total, 'object')} with these words in names, descriptions, remarks or addresses
      </p>
      <nav class="row" aria-label="Types">
        <Link class="chip plain" to={at({ types: [] })} current={question.types.length === 0} text="All" />
        {counts.map(({ type, objects }) => (
          <Link key={type} class="chip plain" to={at({ types: [type] })} current={question.types.includes(type)}>
            {type} {numberText(objects)}
          </Link>
        ))}
      </nav>
      <Entries of={found} />
      <nav class="row" aria-label="Pages of the result">
        {question.after !== '' && <Link class="button" to={at({})} text="First page" />}
        {cursor && <Link class="button" to={at({ after: cursor })} text="Next" />}
      </nav>
    </>
  );
}

/** The objects whose key or name begins with a text that is not a key or name itself. */
export function BegunResult({ text, begun }: { readonly text: string; readonly begun: readonly NamedObject[] }) {
  return (
    <>
      <p class="soft small" role="status">
        No key and no whole name is “{text}”. These begin with it:
      </p>
      <Entries of={begun} />
    </>
  );
}

/** An object with the lines that have the words, if words found it. */
type FoundObject = NamedObject & Partial<FoundWords['found'][number]>;

function Entries({ of }: { readonly of: readonly FoundObject[] }) {
  return (
    <div class="card">
      <ol class="list words">
        {of.map((object) => (
          <Entry key={namePath(object)} object={object} />
        ))}
      </ol>
    </div>
  );
}

function Entry({ object: { title, matches = [], ...name } }: { readonly object: FoundObject }) {
  return (
    <li>
      <div class="row">
        <span class="chip">{name.type}</span>
        <ObjectLink name={name} />
        {title !== name.key && <strong>{title}</strong>}
      </div>
      {matches.map(({ attribute, value }, index) => (
        <p key={index} class="small soft">
          <span class="mono">{attribute}</span> {value}
        </p>
      ))}
    </li>
  );
}
