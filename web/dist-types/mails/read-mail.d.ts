/** A mail in readable form. */
export interface Mail {
    /** Its header fields in their order, decoded. */
    readonly fields: readonly {
        readonly name: string;
        readonly value: string;
    }[];
    /** Its text, decoded; a mail of several parts as it was written. */
    readonly text: string;
}
/** Reads a mail (RFC 5322, RFC 2045, RFC 2047) in UTF-8; a broken one as far as it can be read. */
export declare function readMail(written: string): Mail;
/** The value of the first header field with a name; empty when there is none. */
export declare function fieldOf({ fields }: Pick<Mail, 'fields'>, wanted: string): string;
