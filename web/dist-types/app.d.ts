/** The whole application. */
export declare function App(): import("preact").JSX.Element;
