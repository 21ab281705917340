interface FailedResponse {
  readonly status: number;
  /** Of the header Retry-After; 0 without one. */
  readonly retryAfterSeconds: number;
  /** The messages of the registry; of others, the whole body. */
  readonly sent: readonly string[];
}

const byStatus: Readonly<Record<number, string>> = {
  403: 'The access is denied.',
  404: 'This does not exist.',
  413: 'This is too large.',
  429: 'Too many requests.',
  502: 'The registry does not answer at the moment.',
  503: 'The registry is overloaded or restarting.',
  504: 'The registry does not answer at the moment.',
};

/** The failure in sentences: without pages of proxies, and with the time when a retry may succeed. */
export function failureTexts({ status, retryAfterSeconds, sent }: FailedResponse, now = new Date()): string[] {
  const sentences = sent.filter((text) => text.trim() !== '' && !/^\s*<(!|html|\?xml)/i.test(text));
  const texts = sentences.length > 0 ? sentences : [byStatus[status] ?? `The registry returned status ${status}.`];
  if (retryAfterSeconds === 0 || ![429, 503].includes(status)) return texts;
  const again = new Date(now.getTime() + retryAfterSeconds * 1000).toLocaleTimeString('en-GB');
  const wait = retryAfterSeconds < 120 ? `${retryAfterSeconds} s` : `${Math.ceil(retryAfterSeconds / 60)} minutes`;
  return texts.with(-1, `${texts.at(-1)!.replace(/\.?\s*$/, '.')} Again in ${wait}, at ${again}.`);
}
