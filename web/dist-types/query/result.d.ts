import { type Question } from './question.js';
import { type SearchReading } from './reading.js';
interface ResultProps {
    /** As in the address. */
    readonly question: Question;
    readonly reading: SearchReading;
}
/** The answer to a question: in short, then the objects. */
export declare function Result({ question, reading }: ResultProps): import("preact").JSX.Element;
export {};
