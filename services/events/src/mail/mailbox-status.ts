/**
 * Whether an enhanced status (RFC 3463) means that a mailbox permanently does not work: it does not exist, is disabled,
 * or its host is unknown. A full mailbox, a large mail or a policy means nothing about the mailbox.
 */
function isOfDeadMailbox(status: string): boolean {
  return /^5\.(?:0|1|2|4)\.\d{1,3}$/.test(status) && !notTheMailbox.has(status);
}

/** Full, or too small for the mail; and the address of the sender. */
const notTheMailbox: ReadonlySet<string> = new Set(['5.2.2', '5.2.3', '5.1.7', '5.1.8']);

/** The same for a reply to SMTP's RCPT. Mail servers without an enhanced status mean the mailbox by these codes. */
export function refusesMailbox(code: number, reply: string): boolean {
  const status = enhancedStatus(reply);
  return status === undefined ? [550, 551, 553].includes(code) : isOfDeadMailbox(status);
}

/** The enhanced status in a reply of SMTP such as "550 5.1.1 No such user". */
export function enhancedStatus(reply: string): string | undefined {
  return /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(reply)?.[1];
}
