import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Where to scrape, and the labels that the Prometheus operator would add. */
export interface Target {
  address: string;
  labels: Record<string, string>;
}

export interface Prometheus {
  /** Number of series that a query returns now. Throws when the query is invalid. */
  count(query: string): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a Prometheus that scrapes each target every second; it keeps its data in the directory. */
export async function startPrometheus(directory: string, targets: readonly Target[]): Promise<Prometheus> {
  const config = {
    global: { scrape_interval: '1s' },
    scrape_configs: [
      {
        job_name: 'cadastre',
        honor_labels: true,
        static_configs: targets.map(({ address, labels }) => ({ targets: [address], labels })),
      },
    ],
  };
  // YAML in the form of JSON.
  const file = join(directory, 'prometheus.yml');
  await writeFile(file, JSON.stringify(config));
  const args = [`--config.file=${file}`, `--storage.tsdb.path=${join(directory, 'prometheus')}`];
  const child = spawn('prometheus', [...args, '--web.listen-address=127.0.0.1:0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  let output = '';
  let address: string | undefined;
  for await (const line of createInterface({ input: child.stderr })) {
    output += `${line}\n`;
    address = /"?Listening on"? address=(\S+)/.exec(line)?.[1];
    if (address !== undefined) break;
  }
  if (address === undefined) throw new Error(`Prometheus did not start: ${output}`);
  child.stderr.resume();
  return {
    async count(query) {
      const response = await fetch(`http://${address}/api/v1/query?${new URLSearchParams({ query })}`);
      const answer = (await response.json()) as { error?: string; data: { result: { value: [number, string] }[] } };
      if (answer.error !== undefined) throw new Error(`${query}: ${answer.error}`);
      return answer.data.result.filter(({ value }) => value[1] !== 'NaN').length;
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
