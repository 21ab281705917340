import { execFile } from 'node:child_process';

/** Runs a program and returns its output; rejects with all output when it fails. */
export function runProgram(
  file: string,
  args: readonly string[],
  env: Record<string, string | undefined>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { env: { PATH: process.env.PATH, ...env }, maxBuffer: 64 * 1024 * 1024 };
    execFile(file, args, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${file} ${args.join(' ')}: ${error.message}\n${stdout}${stderr}`));
      else resolve(stdout);
    });
  });
}
