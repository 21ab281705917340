import { serveTasks } from '@cadastre/service/worker';
import { readPgpKey, signingSubkeysOf } from './pgp-key.js';
import { readX509 } from './x509.js';

// The thread that reads keys and certificates for `createCertificateReader`.
const tasks = { readPgpKey, readX509, signingSubkeysOf };

export type KeyTasks = typeof tasks;

serveTasks(tasks);
