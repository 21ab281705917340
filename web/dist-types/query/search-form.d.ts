import { type Question } from './question.js';
import './search-form.css';
/** The search box and its filters. A search changes the URL. */
export declare function SearchForm({ question, autoFocus, }: {
    readonly question: Question;
    readonly autoFocus?: boolean;
}): import("preact").JSX.Element;
