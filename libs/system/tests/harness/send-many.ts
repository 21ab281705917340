import { connect } from 'node:net';
import { createResponseReader } from '@cadastre/bench/response-reader';

const connections = 32;

/** How many requests are sent again after a 503: on a busy machine the database may not answer in time. */
const maxRepeated = 100;

/**
 * Sends GET requests over plain HTTP, as fast as the server responds. Returns the number of responses by status. Sends
 * the few again that were answered 503.
 */
export async function sendMany(
  base: string,
  count: number,
  path: (n: number) => string,
): Promise<Record<number, number>> {
  const { hostname, port } = new URL(base);
  const statuses: Record<number, number> = {};
  let next = 0;
  const take = () => (next < count ? `GET ${path(next++)} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n` : undefined);
  let repeated = 0;
  const report = (status: number) => {
    if (status === 503 && repeated++ < maxRepeated) return 'again';
    statuses[status] = (statuses[status] ?? 0) + 1;
    return 'next';
  };
  await Promise.all(
    Array.from({ length: connections }, () => drive({ host: hostname, port: Number(port) }, take, report)),
  );
  return statuses;
}

type Take = () => string | undefined;
/** Counts a response; says whether to send the same request again. */
type Report = (status: number) => 'again' | 'next';

/** Sends sequential requests over one connection; reconnects when the server closes it between two. */
async function drive(target: { host: string; port: number }, take: Take, report: Report): Promise<void> {
  for (let request = take(); request !== undefined; ) request = await overOneConnection(target, request, take, report);
}

/** Returns the request that was not sent when the server closed the connection. */
function overOneConnection(
  target: { host: string; port: number },
  first: string,
  take: Take,
  report: Report,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let waiting: string | undefined = first;
    const socket = connect(target, () => socket.write(first));
    socket.setNoDelay(true);
    socket.once('error', reject);
    socket.once('close', () => resolve(waiting));
    socket.on(
      'data',
      createResponseReader((status) => {
        if (report(status) === 'next') waiting = take();
        if (waiting === undefined) socket.end();
        else socket.write(waiting);
      }),
    );
  });
}
