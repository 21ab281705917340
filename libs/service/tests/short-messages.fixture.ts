import { connect, createLogger, createMetrics, createRpcServer, implement } from '../src/index.js';

// As a server, sends back each message of a call; as a client, makes 100 calls of 1,200 short messages and prints how many
// came back. Each side is a process of its own: in one process they do not wait for each other.
const [, , role, address] = process.argv as [string, string, 'server' | 'client', string];
const bytes = { serialize: (value: Buffer) => value, deserialize: (value: Buffer) => value };
const Echo = {
  echo: {
    path: '/cadastre.test.v1.EchoService/Echo',
    requestStream: true as const,
    responseStream: true as const,
    requestSerialize: bytes.serialize,
    requestDeserialize: bytes.deserialize,
    responseSerialize: bytes.serialize,
    responseDeserialize: bytes.deserialize,
  },
};

async function* messages(): AsyncGenerator<Buffer> {
  for (let n = 0; n < 1200; n++) yield Buffer.alloc(20);
}

if (role === 'server') {
  const server = createRpcServer({
    name: 'echo',
    logger: createLogger({ service: 'echo', level: 'fatal' }),
    metrics: createMetrics('echo'),
    address,
    implementations: [
      implement(Echo, {
        async *echo(items) {
          for await (const _ of items) yield Buffer.alloc(100);
        },
      }),
    ],
  });
  await server.start();
  console.log('ready');
} else {
  const client = connect(Echo, { address, deadlineMs: 10_000 });
  let answers = 0;
  for (let call = 0; call < 100; call++) for await (const _ of client.echo(messages())) answers += 1;
  client.close();
  console.log(answers);
}
