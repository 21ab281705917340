import type { Question } from './question.js';
/** A question with flags of the RIPE query line, such as `-rBG -T route -i origin AS64500`. */
export interface FlaggedText {
    /** The text without flags. */
    readonly text: string;
    /** What the flags say. */
    readonly filters: Pick<Question, 'types' | 'source' | 'inverse' | 'level' | 'flags'>;
    /** Flags that are unknown, or that are for query lines only. */
    readonly ignored: readonly string[];
}
/** Separates the flags of a text from its term; undefined for a text without flags. */
export declare function readFlags(written: string): FlaggedText | undefined;
/** What values of the parameter `flags` of the REST interface say: long names, or letters. */
export declare function filtersOfFlags(values: readonly string[]): FlaggedText['filters'];
