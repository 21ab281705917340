import './home-page.css';
/** The home page. */
export declare function HomePage(): import("preact").JSX.Element;
