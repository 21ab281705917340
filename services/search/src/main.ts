import { runMain } from '@cadastre/service';
import { program } from './service.js';

await runMain(program);
