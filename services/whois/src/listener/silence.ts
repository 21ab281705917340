import type { Idle } from '../idle.js';

/** How long a client has sent no line. */
export interface Silence {
  /** Whether it has lasted for as long as it may. */
  isOver(): boolean;
  /** Calls once when it has, at once if it has already; only the last call counts. */
  whenOver(then: () => void): void;
  /** The client has sent a line. */
  restart(idle: Idle): void;
  end(): void;
}

/** Begins it. It lasts until a line is complete, however many bytes come: one byte now and then keeps nothing open. */
export function createSilence(idle: Idle): Silence {
  let isOver = false;
  let then = () => {};
  const begin = ({ ms }: Idle) => {
    isOver = false;
    return setTimeout(() => {
      isOver = true;
      then();
    }, ms);
  };
  let timer = begin(idle);
  return {
    isOver: () => isOver,
    whenOver(call) {
      then = call;
      if (isOver) call();
    },
    restart(next) {
      clearTimeout(timer);
      then = () => {};
      timer = begin(next);
    },
    end: () => clearTimeout(timer),
  };
}
