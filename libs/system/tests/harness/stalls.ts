/**
 * Times at which this machine stood still for a second or longer. For its services that is as if all of them hung:
 * connections between replicas end then (libs/service/src/rpc/channel.ts), and so do transactions without a statement.
 */
export interface Stalls {
  /** Whether the machine stood still between two times, or up to three seconds earlier; both by performance.now(). */
  affected(from: number, to: number): boolean;
  stop(): void;
}

const tickMs = 50;
const longMs = 1_000;
const aftermathMs = 3_000;

/** Records the times from now on, by a timer that should run every 50 ms. */
export function watchStalls(): Stalls {
  const stalls: { readonly from: number; readonly to: number }[] = [];
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    if (now - last > longMs) stalls.push({ from: last, to: now });
    last = now;
  };
  const timer = setInterval(look, tickMs);
  return {
    affected(from, to) {
      look();
      return stalls.some((stall) => stall.from < to && from < stall.to + aftermathMs);
    },
    stop: () => clearInterval(timer),
  };
}
