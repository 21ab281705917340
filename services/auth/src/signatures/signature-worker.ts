import { serveTasks } from '@cadastre/service/worker';
import { checkCms } from './cms-signature.js';
import { checkPgpLayers } from './pgp-signature.js';

// Runs on the threads of `Context.signatures`.
const tasks = { checkCms, checkPgpLayers };

export type SignatureTasks = typeof tasks;

serveTasks(tasks);
