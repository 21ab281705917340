import type { LoadProgress } from '@cadastre/proto/objects';
import cliProgress from 'cli-progress';
import { type Io, note } from '../io.js';
import type { Input } from './input.js';

const secondsBetweenLines = 5;

/** Shows the progress of a load. */
export interface ProgressReport {
  show(progress: LoadProgress): void;
  end(): void;
}

/** A bar on a terminal, otherwise one line every few seconds. */
export function createProgressReport(io: Io, input: Input): ProgressReport {
  return io.stderr.isTTY && input.totalBytes ? bar(io, input, input.totalBytes) : lines(io);
}

function bar(io: Io, input: Input, totalBytes: number): ProgressReport {
  const format = 'loading {bar} {percentage}% | {objects} objects, {rejected} rejected | {eta_formatted} left';
  const single = new cliProgress.SingleBar(
    { format, stream: io.stderr, hideCursor: true },
    cliProgress.Presets.shades_classic,
  );
  single.start(totalBytes, 0, { objects: 0, rejected: 0 });
  return {
    show: ({ objects, rejected }) => single.update(input.bytesRead(), { objects, rejected }),
    end: () => single.stop(),
  };
}

function lines(io: Io): ProgressReport {
  let next = Date.now() + secondsBetweenLines * 1000;
  return {
    show: ({ objects, rejected }) => {
      if (Date.now() < next) return;
      next = Date.now() + secondsBetweenLines * 1000;
      note(io, `${objects} objects loaded, ${rejected} rejected`);
    },
    end: () => undefined,
  };
}
