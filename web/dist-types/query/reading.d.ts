import { type Resource } from '@cadastre/rpsl';
import { type Question } from './question.js';
/** How the text of a question is read. */
export type Reading = SearchReading
/** A page that the text names. */
 | {
    readonly kind: 'page';
    readonly page: string;
}
/** More than one search can answer; `what` says why. */
 | {
    readonly kind: 'bulk';
    readonly what: string;
};
/** A text that a search can answer. */
export interface SearchReading {
    readonly kind: 'search';
    /** One line for people: "an IPv4 prefix, 192.0.2.0/24, which contains 192.0.2.77". Empty without a text. */
    readonly what: string;
    /** The searches, the likeliest first: the next one is for when one finds nothing. Their texts are plain terms. */
    readonly searches: readonly [Question, ...Question[]];
    /** The addresses or AS numbers that the question is about. */
    readonly resource: Resource | undefined;
}
/** The characters that one search may have. Longer texts are lists, logs or whole objects. */
export declare const longestText = 1000;
/** Reads a question. The text is as the user wrote it; the filters of the question hold as well. */
export declare function readQuestionText(question: Question): Reading;
/** The same question about the words of the text; undefined where there is no such search. */
export declare function wordsOf(question: Question): Question | undefined;
