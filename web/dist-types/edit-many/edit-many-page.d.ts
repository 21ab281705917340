import './edit-many.css';
/** The page that makes the same change in many objects. */
export declare function EditManyPage(): import("preact").JSX.Element;
