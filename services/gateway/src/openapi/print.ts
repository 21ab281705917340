import { packageVersion } from '@cadastre/service';
import { interfaceText } from './describe-interface.js';

// Prints the description of the interface: `make generate` stores it as openapi.json.
process.stdout.write(interfaceText(packageVersion(new URL('..', import.meta.url))));
