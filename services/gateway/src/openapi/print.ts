import { readFileSync } from 'node:fs';
import { interfaceText } from './describe-interface.js';

// Prints the description of the interface: `make generate` stores it as openapi.json.
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
process.stdout.write(interfaceText(version));
