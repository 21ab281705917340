import {
  AccountServiceService,
  ApiKeyServiceService,
  AuthenticationServiceService,
  BlockListServiceService,
  SessionServiceService,
  SignatureServiceService,
} from '@cadastre/proto/auth';
import { type AllowedCallers, type Implementation, implement } from '@cadastre/service';
import type { Context } from '../context.js';
import { accountHandlers } from './accounts.js';
import { apiKeyHandlers } from './api-keys.js';
import { authenticationHandlers } from './authentication.js';
import { blockListHandlers } from './blocks.js';
import { sessionHandlers } from './sessions.js';
import { signatureHandlers } from './signatures.js';

/** All gRPC services of this process. */
export function implementations(context: Context): Implementation[] {
  return [
    implement(AuthenticationServiceService, authenticationHandlers(context)),
    implement(ApiKeyServiceService, apiKeyHandlers(context)),
    implement(AccountServiceService, accountHandlers(context)),
    implement(SessionServiceService, sessionHandlers(context)),
    implement(SignatureServiceService, signatureHandlers(context)),
    implement(BlockListServiceService, blockListHandlers(context)),
  ];
}

/** Which of our services may call which method. Only the operator's own systems may call the others. */
export const allowedCallers: AllowedCallers = {
  'cadastre.auth.v1.AuthenticationService': ['gateway'],
  [AuthenticationServiceService.watchCredentials.path]: ['gateway', 'whois'],
  'cadastre.auth.v1.ApiKeyService': ['gateway'],
  'cadastre.auth.v1.SessionService': ['gateway'],
  'cadastre.auth.v1.SignatureService': ['gateway'],
  'cadastre.auth.v1.AccountService': ['objects'],
};
