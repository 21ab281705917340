import type { Idle } from '../idle.js';

/** The time since a client sent its last line. */
export interface Silence {
  /** Whether it has reached its maximum. */
  isOver(): boolean;
  /** Calls once when it has, immediately if it has already; only the last call counts. */
  whenOver(then: () => void): void;
  /** The client has sent a line. */
  restart(idle: Idle): void;
  end(): void;
}

/**
 * Begins it. Only a complete line ends it, however many bytes come: a byte now and then does not keep the connection
 * open.
 */
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
