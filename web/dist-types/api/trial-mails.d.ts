/** A mail that a trial wrote into a file instead of sending it. */
export interface TrialMail {
    /** Name of its file. */
    readonly name: string;
    /** When it was written (ISO 8601). */
    readonly time: string;
    /** Its beginning, with the header. */
    readonly head: string;
}
/** The newest mails, newest first; undefined where mails are not for this browser. Throws a RequestFailed. */
export declare function listTrialMails(signal?: AbortSignal): Promise<TrialMail[] | undefined>;
/** A mail as it was written; undefined for an unknown one. Throws a RequestFailed. */
export declare function readTrialMail(name: string, signal?: AbortSignal): Promise<string | undefined>;
