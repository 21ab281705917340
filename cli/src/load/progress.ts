import type { LoadProgress } from '@cadastre/proto/objects';
import cliProgress from 'cli-progress';
import { type Io, note } from '../io.js';
import type { Input } from './input.js';

export const secondsBetweenLines = 5;

/** Calls its argument at most every few seconds, and not in the first ones. */
export function everySeconds(): (report: () => void) => void {
  let next = Date.now() + secondsBetweenLines * 1000;
  return (report) => {
    if (Date.now() < next) return;
    next = Date.now() + secondsBetweenLines * 1000;
    report();
  };
}

/** Shows the progress of a load. */
export interface ProgressReport {
  /** Begins, once an interruption restores the terminal. */
  begin(): void;
  show(progress: LoadProgress): void;
  /** Frees the line for other text until the next progress. */
  pause(): void;
  /** Everything is stored. */
  complete(): void;
  /** Restores the terminal; may be called several times. */
  end(): void;
}

/** A bar on a terminal, otherwise one line every few seconds. */
export function createProgressReport(io: Io, input: Input): ProgressReport {
  return io.stderr.isTTY && input.totalBytes ? bar(io, input, input.totalBytes) : lines(io);
}

/** A bar on standard error; its name in the format is `{bar}`. */
export function createBar(io: Io, format: string) {
  // Its own handler of signals would keep the process alive.
  const options = { format, stream: io.stderr, hideCursor: true, gracefulExit: false };
  return new cliProgress.SingleBar(options, cliProgress.Presets.shades_classic);
}

/** Share of the whole, before everything is stored: the end of a load and of a rebuild takes a while. */
export const maxBeforeEnd = 0.99;

function bar(io: Io, input: Input, totalBytes: number): ProgressReport {
  const format = 'loading {bar} {percentage}% | {objects} objects {state}, {rejected} rejected | {time}';
  const single = createBar(io, format);
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  const start = () => single.start(totalBytes, 0, { objects: 0, rejected: 0, state: 'stored', time: '' });
  return {
    begin: start,
    show: ({ line, ...counts }) => {
      if (!single.isActive) start();
      const share = Math.min(input.bytesUpTo(Number(line)) / totalBytes, maxBeforeEnd);
      const time = share > 0 ? `${duration(elapsed() / share - elapsed())} left` : '';
      single.update(share * totalBytes, { ...shown(counts), time });
    },
    complete: () => single.update(totalBytes, { state: 'stored', time: `took ${duration(elapsed())}` }),
    pause: () => single.stop(),
    end: () => single.stop(),
  };
}

function lines(io: Io): ProgressReport {
  const now = everySeconds();
  return {
    begin: () => undefined,
    show: (progress) =>
      now(() => {
        const { objects, state, rejected } = shown(progress);
        note(io, `${objects} objects ${state}, ${rejected} rejected`);
      }),
    pause: () => undefined,
    complete: () => undefined,
    end: () => undefined,
  };
}

function shown({ objects, rejected, storedAtEnd }: Omit<LoadProgress, 'line'>) {
  return { objects, rejected, state: storedAtEnd ? 'sent, stored at the end' : 'stored' };
}

/** "1 h 2 min", "2 min 5 s" or "7 s". */
function duration(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}
