import type { Message } from '../api/message.js';
import type { ObjectName } from '../paths.js';
import type { Row } from './draft.js';
interface FormRowProps {
    readonly row: Row;
    /** The type of the object. */
    readonly type: string;
    readonly source: string;
    readonly maintainers: readonly ObjectName[];
    readonly messages: readonly Message[];
    readonly mandatory: boolean;
    /** Absent for generated values, and for the key of an existing object. */
    readonly change?: (value: string) => void;
    /** Called with several pasted lines. */
    readonly fill?: (lines: string[]) => void;
    readonly drop?: () => void;
}
/** One attribute in the form: its value, its help, and the registry's messages about it. */
export declare function FormRow({ row, type, source, maintainers, messages, mandatory, change, fill, drop }: FormRowProps): import("preact").JSX.Element;
export {};
