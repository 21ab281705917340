import { type Resource } from '@cadastre/rpsl';
/** Describes a term, which is a resource of the number space or another text; empty when there is none. */
export declare function recognise(term: string, resource: Resource | undefined): string;
