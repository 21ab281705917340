// Sends the lines of answers.json to an IRRd that has the objects of this folder, and writes its answers into the file:
// node record.mjs 127.0.0.1:43 and then: npx biome check --write answers.json
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';

const file = new URL('answers.json', import.meta.url);
const [host, port] = process.argv[2].split(':');
// A command that IRRd does not support marks the end of each answer.
const end = 'F Unrecognised command: z\n';

async function answersTo(lines) {
  const socket = connect({ host, port: Number(port) }).setEncoding('latin1');
  socket.write(`!!\n${lines.map((line) => `${line}\n!z\n`).join('')}!q\n`);
  let all = '';
  for await (const text of socket) all += text;
  return all.split(end).slice(0, -1);
}

const sessions = [];
for (const { lines } of JSON.parse(readFileSync(file, 'utf8'))) {
  sessions.push({ lines, answers: await answersTo(lines) });
}
writeFileSync(file, `${JSON.stringify(sessions, undefined, 2)}\n`);
