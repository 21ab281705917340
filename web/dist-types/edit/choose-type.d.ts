/** The types of objects to create. */
export declare function ChooseType(): import("preact").JSX.Element;
