import { type ObjectName } from '../paths.js';
interface WizardProps {
    readonly source: string;
    readonly maintainers: readonly ObjectName[];
}
/** Creates the reverse zones of a prefix together: domain objects that differ in nothing but their names. */
export declare function DomainWizard({ source, maintainers }: WizardProps): import("preact").JSX.Element;
export {};
