import './home-page.css';
/** Where everyone starts. */
export declare function HomePage(): import("preact").JSX.Element;
