import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { type Answer, AUTHORITATIVE_ANSWER, type DecodedPacket, decode, encode, TRUNCATED_RESPONSE } from 'dns-packet';

/** The behaviour of a DNS server. */
export interface ServedNames {
  /** Records by "type name". */
  records: Record<string, Answer[]>;
  authority?: boolean;
  /** Truncates UDP answers, so that clients use TCP. */
  truncates?: boolean;
  /** Record types that it does not answer. */
  silent?: readonly string[];
}

/** A real DNS server on an address of this machine. */
export async function serveNames(address: string, port: number, served: ServedNames) {
  const udp = createSocket('udp4');
  const tcp = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (octets) => {
      const answer = encode(answerOf(served, decode(octets.subarray(2)), false));
      const length = Buffer.alloc(2);
      length.writeUInt16BE(answer.length);
      // In two pieces, as networks do.
      socket.write(Buffer.concat([length, answer.subarray(0, 5)]), () => socket.write(answer.subarray(5)));
    });
  });
  udp.on('message', (octets, from) => {
    const question = decode(octets);
    if (served.silent?.includes(question.questions![0]!.type)) return;
    udp.send(encode(answerOf(served, question, served.truncates ?? false)), from.port, from.address);
  });
  await new Promise<void>((resolve) => udp.bind(port, address, resolve));
  await new Promise<void>((resolve) => tcp.listen(port, address, resolve));
  return {
    port,
    close: async () => {
      await new Promise<void>((resolve) => udp.close(resolve));
      await new Promise((resolve) => tcp.close(resolve));
    },
  };
}

function answerOf(served: ServedNames, question: DecodedPacket, truncated: boolean) {
  const [requested] = question.questions!;
  const answers = served.records[`${requested!.type} ${requested!.name.toLowerCase()}`] ?? [];
  return {
    type: 'response' as const,
    id: question.id!,
    flags: (served.authority === false ? 0 : AUTHORITATIVE_ANSWER) | (truncated ? TRUNCATED_RESPONSE : 0),
    questions: question.questions!,
    answers: truncated ? [] : answers,
  };
}
