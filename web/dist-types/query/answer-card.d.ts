import type { Answer } from './answer.js';
import './answer-card.css';
/** The answer to a question about an address or an AS number, in short. */
export declare function AnswerCard({ term, answer }: {
    readonly term: string;
    readonly answer: Answer;
}): import("preact").JSX.Element;
