import { type ObjectName } from '../paths.js';
import './choose-moment.css';
import { type Past } from './past.js';
interface MomentFieldProps {
    readonly id: string;
    /** Its moment at first; a serial leaves it empty. */
    readonly asOf: string;
    readonly change: (asOf: string) => void;
    readonly required?: boolean;
}
/** The field for a moment of the past, in UTC. */
export declare function MomentField({ id, asOf, change, required }: MomentFieldProps): import("preact").JSX.Element;
interface ChooseMomentProps {
    readonly name: ObjectName;
    readonly view: string;
    readonly past: Past | undefined;
}
/** Leads to an earlier state of an object. */
export declare function ChooseMoment({ name, view, past }: ChooseMomentProps): import("preact").JSX.Element;
export {};
