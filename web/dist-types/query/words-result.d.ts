import { type FoundWords, type NamedObject } from '../api/words.js';
import { type Question } from './question.js';
/** Searches for the words of a question. Throws a RequestFailed. */
export declare function findWords(question: Question, signal: AbortSignal): Promise<FoundWords>;
/** The answer to a question about words. */
export declare function WordsPage({ question }: {
    readonly question: Question;
}): import("preact").JSX.Element;
interface WordsResultProps {
    /** As the user asked it: about words, or about a key or name that there is not. */
    readonly question: Question;
    readonly words: FoundWords;
}
/** The objects that have the words, and how many of each type there are. */
export declare function WordsResult({ question, words: { counts, isPartial, found, next } }: WordsResultProps): import("preact").JSX.Element;
/** The objects whose key or name begins with a text that is no key or name itself. */
export declare function BegunResult({ text, begun }: {
    readonly text: string;
    readonly begun: readonly NamedObject[];
}): import("preact").JSX.Element;
export {};
