/** The sign-in button; over plain HTTP a link to the same page over HTTPS, because sign-in needs that. */
export declare function SignInButton({ class: look }: {
    readonly class?: string;
}): import("preact").JSX.Element;
