import { serveTasks } from '../src/worker.js';

const tasks = {
  add: (one: number, other: number) => one + other,
  spin: (): void => {
    for (;;);
  },
  fail: () => {
    throw new Error('out of luck');
  },
  fill: () => {
    const all: number[][] = [];
    for (;;) all.push(Array.from({ length: 100_000 }, Math.random));
  },
};

export type ExampleTasks = typeof tasks;

serveTasks(tasks);
