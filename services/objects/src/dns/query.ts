import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import { type DecodedPacket, decode, encode, type RecordType, streamEncode } from 'dns-packet';

/** A DNS server to query. */
export interface DnsServer {
  readonly address: string;
  readonly port: number;
}

/** Timeout and cancellation of a query. */
export interface QueryOptions {
  /** Timeout of each of three attempts. */
  readonly attemptMs: number;
  readonly signal: AbortSignal;
}

interface DnsQuestion {
  readonly name: string;
  readonly type: RecordType;
  /** Whether to request recursion. */
  readonly recursive: boolean;
}

const udpPayloadSize = 1232;

/**
 * The server's answer: over UDP with up to three attempts, over TCP when it is truncated. Undefined without an answer.
 * Rejects when this host cannot reach the server, and when `signal` is aborted.
 */
export async function queryDns(
  server: DnsServer,
  question: DnsQuestion,
  { attemptMs, signal }: QueryOptions,
): Promise<DecodedPacket | undefined> {
  for (let attempt = 0; attempt < 3; attempt++) {
    signal.throwIfAborted();
    const packet = questionPacket(question);
    const answer = await overUdp(server, packet, { attemptMs, signal });
    if (answer?.flag_tc) return overTcp(server, packet, { attemptMs, signal });
    if (answer !== undefined) return answer;
  }
  return undefined;
}

type QuestionPacket = ReturnType<typeof questionPacket>;

function questionPacket({ name, type, recursive }: DnsQuestion) {
  return {
    type: 'query' as const,
    id: randomInt(0x10000),
    flags: recursive ? 0x100 : 0,
    questions: [{ name, type, class: 'IN' as const }],
    additionals: [
      {
        type: 'OPT' as const,
        name: '.' as const,
        udpPayloadSize,
        flags: 0,
        options: [],
        extendedRcode: 0,
        ednsVersion: 0,
        flag_do: false,
      },
    ],
  };
}

function overUdp(
  { address, port }: DnsServer,
  packet: QuestionPacket,
  { attemptMs, signal }: QueryOptions,
): Promise<DecodedPacket | undefined> {
  const octets = encode(packet);
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const { promise, resolve, reject } = Promise.withResolvers<DecodedPacket | undefined>();
  const abort = () => reject(signal.reason);
  const timer = setTimeout(() => resolve(undefined), attemptMs);
  signal.addEventListener('abort', abort);
  socket.on('error', reject);
  socket.on('message', (received) => {
    const answer = answerTo(packet, () => decode(received));
    if (answer) resolve(answer);
  });
  // A connected socket receives packets from this server only.
  socket.once('connect', () => socket.send(octets, (error) => error && reject(error)));
  socket.connect(port, address);
  return promise
    .catch((error: { code?: unknown }) => (error.code === 'ECONNREFUSED' ? undefined : Promise.reject(error)))
    .finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      socket.close();
    });
}

async function overTcp(
  { address, port }: DnsServer,
  packet: QuestionPacket,
  { attemptMs, signal }: QueryOptions,
): Promise<DecodedPacket | undefined> {
  const socket = connect({ host: address, port, signal });
  socket.setTimeout(attemptMs, () => socket.destroy());
  socket.write(streamEncode(packet));
  let received = Buffer.alloc(0);
  try {
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk as Buffer]);
      if (received.length >= 2 && received.length >= received.readUInt16BE() + 2) {
        return answerTo(packet, () => decode(received.subarray(2)));
      }
    }
  } catch {
    signal.throwIfAborted();
  } finally {
    socket.destroy();
  }
  return undefined;
}

/** The received packet, if it answers this question. */
function answerTo(requested: QuestionPacket, read: () => DecodedPacket): DecodedPacket | undefined {
  try {
    const answer = read();
    const [question] = answer.questions ?? [];
    const fits =
      answer.flag_qr &&
      answer.id === requested.id &&
      question?.type === requested.questions[0]!.type &&
      question.name.toLowerCase() === requested.questions[0]!.name.toLowerCase();
    return fits ? answer : undefined;
  } catch {
    return undefined;
  }
}
