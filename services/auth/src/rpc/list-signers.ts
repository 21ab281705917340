import { type ListSignersRequest, type ListSignersResponse, SignatureForm } from '@cadastre/proto/auth';
import { pgpLayersOf } from '../signatures/pgp-layers.js';
import { keyCertNameOf } from '../signatures/pgp-signature.js';
import { signatureFormOf } from '../signatures/signature-form.js';
import { limitSignedText } from './signed-text-limits.js';

/** Tells which keys claim to have signed. */
export async function listSigners({ signedText }: ListSignersRequest): Promise<ListSignersResponse> {
  limitSignedText(signedText);
  const form = signatureFormOf(signedText);
  const layers = form === SignatureForm.SIGNATURE_FORM_PGP ? await pgpLayersOf(signedText) : undefined;
  const pgpKeyIds = (layers ?? []).map(({ signature }) => signature.issuerKeyID.toHex());
  return { form, pgpKeyIds, keyCertNames: [...new Set(pgpKeyIds.map(keyCertNameOf))] };
}
