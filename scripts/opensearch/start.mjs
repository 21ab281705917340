// Starts an OpenSearch server for tests and trials and prints its URL when it responds. Needs java (17 to 23), mvn and
// setpriv. Ends on SIGINT and SIGTERM and, with CADASTRE_PARENT_PIPE=1, when its standard input closes.
import { assemble } from './assemble.mjs';
import { startServer } from './server.mjs';

let finish;
const finished = new Promise((resolve) => {
  finish = resolve;
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, finish);
if (process.env.CADASTRE_PARENT_PIPE === '1') process.stdin.on('end', finish).resume();

const server = await startServer(await assemble());
console.log(server.url);
await Promise.race([finished, server.exited]);
await server.stop();
process.exit();
