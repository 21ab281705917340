/** Names an object: what its locator is made of. */
export interface ObjectName {
    readonly source: string;
    readonly type: string;
    readonly key: string;
}
/** Paths of the pages (ADR 0020): names of sources begin with a letter, so none is below "/-/". */
export declare const paths: {
    home: string;
    query: (parameters: URLSearchParams) => string;
    object: (name: ObjectName, view?: string) => string;
    create: (type?: string) => string;
    edit: (name: ObjectName) => string;
    account: string;
};
/** The path of an object below any prefix: `TEST/route/192.0.2.0/24AS64500`. */
export declare function namePath({ source, type, key }: ObjectName): string;
/** The object that such a path names; `undefined` when it names none. */
export declare function nameOfPath(path: string): ObjectName | undefined;
/** The object that a locator of an answer (`https://…/test/person/XX1-TEST`) names. */
export declare function nameOfLocator(href: string): ObjectName | undefined;
