import './mails-page.css';
/** The mails that a trial would have sent, or one of them. Only the machine of the trial sees them. */
export declare function MailsPage({ mail }: {
    readonly mail: string;
}): import("preact").JSX.Element;
