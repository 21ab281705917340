/** Client identifier of the web application at the identity provider: a public client, with PKCE. */
export const webClientId = 'cadastre-web';

/** The audience of its access tokens: the REST interface of a trial. */
export const restAudience = 'urn:cadastre:rest:trial';
