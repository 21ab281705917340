/** ISO 3166-1 alpha-2 codes, and EU, which registries use for networks that span the European Union. */
export const countries: ReadonlySet<string> = twoLetterCodes(
  `A:DEFGILMOQRSTUWXZ B:ABDEFGHIJLMNOQRSTVWYZ C:ACDFGHIKLMNORUVWXYZ D:EJKMOZ E:CEGHRSTU F:IJKMOR
  G:ABDEFGHILMNPQRSTUWY H:KMNRTU I:DELMNOQRST J:EMOP K:EGHIMNPRWYZ L:ABCIKRSTUVY M:ACDEFGHKLMNOPQRSTUVWXYZ
  N:ACEFGILOPRUZ O:M P:AEFGHKLMNRSTWY Q:A R:EOSUW S:ABCDEGHIJKLMNORSTVXYZ T:CDFGHJKLMNORTVWZ U:AGMSYZ V:ACEGINU
  W:FS Y:ET Z:AMW`,
);

/** ISO 639-1 codes. */
export const languages: ReadonlySet<string> = twoLetterCodes(
  `A:ABEFKMNRSVYZ B:AEGIMNORS C:AEHORSUVY D:AEVZ E:ELNOSTU F:AFIJORY G:ADLNUV H:AEIORTUYZ I:ADEGIKOSTU J:AV
  K:AGIJKLMNORSUVWY L:ABGINOTUV M:GHIKLNRSTY N:ABDEGLNORVY O:CJMRS P:AILST Q:U R:MNOUW S:ACDEGIKLMNOQRSTUVW
  T:AEGHIKLNORSTWY U:GKRZ V:EIO W:AO X:H Y:IO Z:AHU`,
);

/**
 * Codes in groups by their first letter: `A:DE B:A` are AD, AE and BA. That halves their size in the bundle of the web
 * interface.
 */
function twoLetterCodes(groups: string): ReadonlySet<string> {
  return new Set(groups.split(/\s+/).flatMap(([first, , ...others]) => others.map((second) => `${first}${second}`)));
}
