import { deriveValue } from '../domain/opaque-value.js';
import type { SignInSecrets } from './identity-provider.js';

/** The secrets of a sign-in follow from its token, so that none of them is stored. */
export function signInSecrets(signInToken: string): SignInSecrets {
  return {
    state: deriveValue(signInToken, 'state'),
    nonce: deriveValue(signInToken, 'nonce'),
    codeVerifier: deriveValue(signInToken, 'code verifier'),
  };
}
