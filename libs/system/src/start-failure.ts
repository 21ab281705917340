/** Why the system cannot start; one or a few lines for the user. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
