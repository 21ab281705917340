interface ConfirmButtonProps {
    /** What the button does, for example “Revoke”. */
    readonly label: string;
    /** What it does it to, for screen readers; default: what surrounds the button. */
    readonly what?: string;
    readonly isBusy: boolean;
    /** Called when the user is sure. */
    readonly act: () => void;
}
/** A button for what cannot be undone: it asks again. */
export declare function ConfirmButton({ label, what, isBusy, act }: ConfirmButtonProps): import("preact").JSX.Element;
export {};
