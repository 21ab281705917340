import { serveTasks } from '@cadastre/service/worker';
import { showVersion } from './shown-version.js';

// The thread that reads the texts of large versions for `createVersionReader`.
const tasks = { showVersion };

export type VersionTasks = typeof tasks;

serveTasks(tasks, { isLowPriority: true });
