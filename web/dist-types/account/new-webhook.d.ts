/** Creates a webhook. Shows its secret once; only this component holds it. */
export declare function NewWebhook({ made }: {
    readonly made: () => void;
}): import("preact").JSX.Element;
