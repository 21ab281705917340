import './bulk-page.css';
/** Looks up all addresses, prefixes and AS numbers of a text. */
export declare function BulkPage(): import("preact").JSX.Element;
