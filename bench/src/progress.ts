const betweenLinesMs = 10_000;

/** Called with the amount of work that is done. */
export type Progress = (done: number) => void;

/** Puts the time since now in front of each line: "3:05 Lookups, round 1 of 3". */
export function withTime(print: (line: string) => void): (line: string) => void {
  const start = performance.now();
  return (line) => {
    const seconds = Math.floor((performance.now() - start) / 1000);
    print(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} ${line}`);
  };
}

/** Prints a line with the time left, at most every ten seconds. */
export function startProgress(say: (line: string) => void, what: string, total: number): Progress {
  const start = performance.now();
  let saidAt = start;
  return (done) => {
    const now = performance.now();
    if (now - saidAt < betweenLinesMs || done === 0) return;
    saidAt = now;
    const percent = Math.floor((100 * done) / total);
    say(`${what}: ${percent} %, about ${durationText(((now - start) * (total - done)) / done)} left`);
  };
}

/** "40 s", "3 min", "2 h 5 min". */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
