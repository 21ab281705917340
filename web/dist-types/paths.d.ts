import type { Past } from './past/past.js';
/** The name of an object: the parts of its locator. */
export interface ObjectName {
    readonly source: string;
    readonly type: string;
    readonly key: string;
}
/** With what the form for a new object begins. */
interface Beginning {
    /** Values by attribute. */
    readonly values?: Readonly<Record<string, string>>;
    /** An object with whose attributes it begins. */
    readonly like?: ObjectName | undefined;
}
/** Paths of the pages (ADR 0020): names of sources begin with a letter, so none is below "/-/". */
export declare const paths: {
    home: string;
    query: (parameters: URLSearchParams) => string;
    /** `chosen`: what the view shows, as parameters. */
    object: (name: ObjectName, view?: string, past?: Past, chosen?: Readonly<Record<string, string>>) => string;
    create: (type?: string, { values, like }?: Beginning) => string;
    reverseZones: (prefix?: string) => string;
    /** `restore`: a version with which the editor begins. */
    edit: (name: ObjectName, restore?: number) => string;
    bulk: string;
    sources: string;
    editMany: string;
    account: string;
    mails: (name?: string) => string;
    /** The resources of the account, or the map of a range of addresses. */
    resources: (space?: string, length?: number) => string;
};
/** The path of an object below any prefix: `TEST/route/192.0.2.0/24AS64500`. */
export declare function namePath({ source, type, key }: ObjectName): string;
/** The path of an object as an RDAP document; `undefined` for one that RDAP does not have, such as a mirrored one. */
export declare function rdapPath({ source, type, key }: ObjectName): string | undefined;
/** The object of such a path; `undefined` for other paths. */
export declare function nameOfPath(path: string): ObjectName | undefined;
/** The object that such a value names. */
export declare function nameOfText(text: string): ObjectName | undefined;
/** The object of a locator in a response (`https://…/test/person/XX1-TEST`). */
export declare function nameOfLocator(href: string): ObjectName | undefined;
export {};
