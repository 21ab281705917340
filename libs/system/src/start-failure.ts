/** Why the system cannot run; one or a few lines for the person who started it. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
