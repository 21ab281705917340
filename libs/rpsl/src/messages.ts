import { abuseContactMessages, addressSpaceMessages } from './messages/address-space.js';
import { authorisationMessages } from './messages/authorisation.js';
import { autoKeyMessages } from './messages/auto-key.js';
import { conversionMessages } from './messages/conversion.js';
import { dnsCheckMessages } from './messages/dns-check.js';
import { existenceMessages } from './messages/existence.js';
import { keyCertMessages } from './messages/key-cert.js';
import { parsingMessages } from './messages/parsing.js';
import { requestMessages } from './messages/requests.js';
import { structureMessages } from './messages/structure.js';
import { syntaxMessages } from './messages/syntax.js';

/** One function per message template. Clients of the RIPE Database know the texts (decision F6). */
export const messages = {
  ...parsingMessages,
  ...structureMessages,
  ...syntaxMessages,
  ...conversionMessages,
  ...existenceMessages,
  ...autoKeyMessages,
  ...authorisationMessages,
  ...addressSpaceMessages,
  ...abuseContactMessages,
  ...keyCertMessages,
  ...dnsCheckMessages,
  ...requestMessages,
};
