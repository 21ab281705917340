import { useState } from 'preact/hooks';
import { paths } from '../paths.js';
import { navigate } from '../router.js';
import './header-search.css';
import { interpret, maxQueryText } from './interpretation.js';
import { emptyQuestion, writeQuestion } from './question.js';
import { SearchBox } from './search-box.js';

/** The search box in the frame of all pages that have no search form. */
export function HeaderSearch() {
  const [text, setText] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    const question = { ...emptyQuestion, text: text.trim().slice(0, maxQueryText + 1) };
    const meaning = interpret(question);
    if (question.text !== '') navigate(meaning.kind === 'page' ? meaning.page : paths.query(writeQuestion(question)));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: <search> is not known to all screen readers yet
    <form class="header-search" role="search" onSubmit={submit}>
      <SearchBox text={text} change={setText} autoFocus={false} />
    </form>
  );
}
