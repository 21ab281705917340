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
import { addBlock } from './add-block.js';
import { authenticate } from './authenticate.js';
import { createApiKey } from './create-api-key.js';
import { endSession } from './end-session.js';
import { finishSignIn } from './finish-sign-in.js';
import { getSession } from './get-session.js';
import { listApiKeys } from './list-api-keys.js';
import { listBlocks } from './list-blocks.js';
import { listSigners } from './list-signers.js';
import { removeBlock } from './remove-block.js';
import { resolveAccounts } from './resolve-accounts.js';
import { revokeApiKey } from './revoke-api-key.js';
import { startSignIn } from './start-sign-in.js';
import { verifySignedText } from './verify-signed-text.js';

/** All methods of this service. */
export function implementations(context: Context): Implementation[] {
  return [
    implement(AuthenticationServiceService, { authenticate: (request) => authenticate(context, request) }),
    implement(ApiKeyServiceService, {
      createApiKey: (request) => createApiKey(context, request),
      listApiKeys: (request) => listApiKeys(context, request),
      revokeApiKey: (request) => revokeApiKey(context, request),
    }),
    implement(AccountServiceService, { resolveAccounts: (request) => resolveAccounts(context, request) }),
    implement(SessionServiceService, {
      startSignIn: (request) => startSignIn(context, request),
      finishSignIn: (request) => finishSignIn(context, request),
      getSession: (request) => getSession(context, request),
      endSession: (request) => endSession(context, request),
    }),
    implement(SignatureServiceService, {
      listSigners: (request) => listSigners(request),
      verifySignedText: (request) => verifySignedText(context, request),
    }),
    implement(BlockListServiceService, {
      addBlock: (request) => addBlock(context, request),
      removeBlock: (request) => removeBlock(context, request),
      listBlocks: (request) => listBlocks(context, request),
    }),
  ];
}

/** Which of our services call here; the operator's own systems may, too. */
export const allowedCallers: AllowedCallers = {
  'cadastre.auth.v1.AuthenticationService': ['gateway'],
  'cadastre.auth.v1.ApiKeyService': ['gateway'],
  'cadastre.auth.v1.SessionService': ['gateway'],
  'cadastre.auth.v1.SignatureService': ['gateway'],
  'cadastre.auth.v1.AccountService': ['objects'],
  [BlockListServiceService.listBlocks.path]: ['gateway'],
};
