import { serveTasks } from '@cadastre/service/worker';
import { readPart } from './read-part.js';

// Runs on the threads of `Context.loadReaders`.
const tasks = { readPart };

export type ReadTasks = typeof tasks;

serveTasks(tasks);
