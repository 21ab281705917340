import './edit-many.css';
/** The page that writes the objects of a text together. */
export declare function SeveralObjects(): import("preact").JSX.Element;
