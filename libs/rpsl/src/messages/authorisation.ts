import { error, info, type Message, warning } from '../message.js';

export const authorisationMessages = {
  authorisationFailed: (type: string, key: string, attribute: string, candidates: readonly string[]) =>
    refusal('Authorisation for [%s] %s failed', type, key, attribute, candidates),
  parentAuthorisationFailed: (type: string, key: string, attribute: string, candidates: readonly string[]) =>
    refusal('Authorisation for parent [%s] %s failed', type, key, attribute, candidates),
  noParentAsBlock: (asNumber: string) => error('No parent as-block found for %s', [asNumber]),
  asBlockIsOperators: () => error('As-block object are maintained by RIPE NCC'),
  maintainerIsOperators: () => error('You cannot create a RIPE NCC maintainer'),
  rootIsOperators: (domain: string) => error('Creating domain %s requires administrative authorisation', [domain]),
  enumIsOperators: () => error('Creating enum domain requires administrative authorisation'),
  statusIsOperators: (status: string) => error('Setting status %s requires administrative authorisation', [status]),
  statusOnlyOperators: (status: string) =>
    error('Status %s can only be created by the database administrator', [status]),
  statusDeletedByOperators: (status: string) =>
    error('Object with status %s can only be deleted by the database administrator', [status]),
  legacyIsOperators: () =>
    error(
      "Only RIPE NCC can create/delete a top level object with status 'LEGACY'\nContact legacy@ripe.net for more info",
    ),
  /** Part of refusals for missing operator authority: their own texts name no maintainer. */
  operatorsNeeded: (mntners: readonly string[]) =>
    info('This takes a maintainer of the registry operator: %s', [
      mntners.length === 0 ? 'none is set' : mntners.join(', '),
    ]),
  md5Refused: () =>
    error('MD5 hashed password authentication is deprecated. Please switch to an alternative authentication method.'),
  mntRefMissing: (organisation: string, mntner: string) =>
    warning('Referenced organisation %s has mnt-ref attribute %s which does not exist in the database', [
      organisation,
      mntner,
    ]),
};

/** Without candidates the text says so and the last argument is empty. */
function refusal(start: string, type: string, key: string, attribute: string, candidates: readonly string[]): Message {
  const template =
    candidates.length > 0
      ? `${start}\nusing "%s:"\nnot authenticated by: %s`
      : `${start}\nusing "%s:"\nno valid maintainer found\n`;
  return error(template, [type, key, attribute, candidates.join(', ')]);
}
