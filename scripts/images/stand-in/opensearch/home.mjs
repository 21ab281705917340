// Copies OpenSearch with its security plugin to a folder: `home.mjs FOLDER`.
import { assemble, assembleSecurity } from '../../../opensearch/assemble.mjs';
import { copyServer } from '../../../opensearch/server.mjs';

await copyServer(await assemble(), process.argv[2], [await assembleSecurity()]);
