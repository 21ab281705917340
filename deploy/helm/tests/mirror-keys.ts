import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { processIo, runProgram } from '../../../cli/src/index.js';

/** Runs `cadastre mirror keys` on this machine, as an operator does. Returns what it prints. */
export async function signingKeys(folder: string, ...args: string[]): Promise<string> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const said = Promise.all([text(stdout), text(stderr)]);
  const code = await runProgram(['mirror', 'keys', ...args, '--folder', folder], { ...processIo(), stdout, stderr });
  stdout.end();
  stderr.end();
  const [printed, noted] = await said;
  if (code !== 0) throw new Error(noted);
  return printed;
}
