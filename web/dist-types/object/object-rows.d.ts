import { type AddressRange } from '@cadastre/rpsl';
import type { ShownObject } from '../api/objects.js';
import type { ObjectName } from '../paths.js';
/** An object in a table. */
export interface Row {
    readonly name: ObjectName;
    /** Its netname, its name or its first description; empty without. */
    readonly label: string;
    /** When it was changed (ISO 8601); empty where that is not known. */
    readonly changed: string;
    /** Its addresses, if it has any. */
    readonly range: AddressRange | undefined;
}
/** The column that orders a table; empty for the order of the registry. */
export type Column = '' | 'object' | 'name' | 'changed';
/** Which rows of a table its user wants, and their order. The parameters of an address. */
export interface RowChoice {
    /** Empty for all types. */
    readonly type: string;
    /** Words, or an address. */
    readonly find: string;
    readonly column: Column;
    readonly isDescending: boolean;
}
/** The row of an object. */
export declare function rowOf({ name, attributes }: ShownObject): Row;
/** The choice that an address names. */
export declare function readChoice(query: URLSearchParams): RowChoice;
/** The parameters of a choice, without empty ones. */
export declare function writeChoice({ type, find, column, isDescending }: RowChoice): Record<string, string>;
/** The choice after a click on the head of a column: first ascending, then descending, then not ordered by it. */
export declare function orderedBy(choice: RowChoice, column: Column): RowChoice;
/** The rows of a choice in its order. */
export declare function chosenRows(rows: readonly Row[], { find, column, isDescending }: RowChoice): readonly Row[];
