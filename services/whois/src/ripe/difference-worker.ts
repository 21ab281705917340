import { serveTasks } from '@cadastre/service/worker';
import { differenceText } from './difference-text.js';

// The thread that compares large texts for `createDifferences`.
const tasks = { differenceText };

export type DifferenceTasks = typeof tasks;

serveTasks(tasks, { isLowPriority: true });
