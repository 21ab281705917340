import { runMain } from '@cadastre/service';
import { program } from './identity-provider-program.js';

await runMain(program);
