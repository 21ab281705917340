import './account.css';
/** The account page: maintainers, API keys and webhooks. */
export declare function AccountPage(): import("preact").JSX.Element;
