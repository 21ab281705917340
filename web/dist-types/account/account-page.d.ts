export declare function AccountPage(): import("preact").JSX.Element;
