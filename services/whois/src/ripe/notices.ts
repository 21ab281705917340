import type { Notices } from '../dialect.js';

/** An error of the RIPE whois server's catalogue, by its lines without the percent signs. */
function errorText(...lines: readonly string[]): Buffer {
  const [first, ...rest] = lines;
  const text = [`%${first}`, ...rest.map((line) => (line === '' ? '%' : `% ${line}`)), '', ''].join('\n');
  return Buffer.from(text, 'latin1');
}

/** The notices in RIPE style. */
export const notices: Notices = {
  lineTooLong: (most) =>
    errorText('ERROR:107: input line too long', '', `Input exceeds the maximum line length of ${most} bytes.`),
  idle: () =>
    errorText(
      'ERROR:305: connection has been closed',
      '',
      'The connection has been closed after a period of inactivity.',
    ),
  tooManyConnections: (most) =>
    errorText(
      'ERROR:306: connections exceeded',
      '',
      `Number of connections from a single IP address has exceeded the maximum of ${most}.`,
    ),
};
