import { type AsRange, parseAsBlock, parseAsNumber, parseIpv4Prefix, parseIpv6Prefix } from '@cadastre/rpsl';
import { type registrySettings, type Setting, setting, type Values } from '@cadastre/service';
import { defaultPolicy, type Policy } from './domain/policy.js';

/** Settings of the registry's policy. */
export const policySettings = {
  policyProfile: setting.oneOf(['none', 'rir'], {
    name: 'CADASTRE_POLICY_PROFILE',
    doc: "Rules beside those of every registry: none, or an RIR's, under which the statuses of networks form a hierarchy.",
    default: 'none',
  }),
  countries: setting.list({
    name: 'CADASTRE_POLICY_COUNTRIES',
    doc: 'Codes that the attribute country may have; default: those of ISO 3166 and EU.',
    default: [],
  }),
  languages: setting.list({
    name: 'CADASTRE_POLICY_LANGUAGES',
    doc: 'Codes that the attribute language may have; default: those of ISO 639-1.',
    default: [],
  }),
  bogons: listOf((text) => parseIpv4Prefix(text) ?? parseIpv6Prefix(text), {
    name: 'CADASTRE_POLICY_BOGONS',
    doc: 'Prefixes in which routes are refused.',
    form: 'prefix,prefix,...',
  }),
  reservedAsNumbers: listOf(parseAsNumbers, {
    name: 'CADASTRE_POLICY_RESERVED_AS_NUMBERS',
    doc: 'AS numbers, or ranges as AS64512-AS65534, that may not originate a route.',
    form: 'AS1,AS2-AS3,...',
  }),
  newAddressesPerDay: setting.integer({
    name: 'CADASTRE_POLICY_NEW_ADDRESSES_PER_DAY',
    doc: 'E-mail addresses to notify that one account may name on a day (UTC) if this registry does not know them: each gets a mail that asks for its consent.',
    default: 50,
    min: 0,
    max: 1_000_000,
  }),
};

/** The policy as configured, with defaults for the rest. */
export function policyOf(settings: Values<typeof policySettings & typeof registrySettings>): Policy {
  const codes = (set: readonly string[]) => new Set(set.map((code) => code.toUpperCase()));
  return {
    ...defaultPolicy,
    profile: settings.policyProfile,
    ...(settings.countries.length > 0 && { countries: codes(settings.countries) }),
    ...(settings.languages.length > 0 && { languages: codes(settings.languages) }),
    operatorMaintainers: settings.operatorMaintainers,
    bogons: settings.bogons,
    reservedAsNumbers: settings.reservedAsNumbers,
    newAddressesPerDay: settings.newAddressesPerDay,
  };
}

/** Parses each element of a list; the list is empty by default. */
function listOf<T>(
  parseOne: (text: string) => T | undefined,
  { name, doc, form }: { name: string; doc: string; form: string },
): Setting<readonly T[]> {
  const texts = setting.list({ name, doc, default: [] });
  return {
    ...texts,
    form,
    fallback: [],
    parse(text) {
      const parsed = texts.parse(text);
      if ('problem' in parsed) {
        return parsed;
      }
      const values = parsed.value.map((one) => parseOne(one));
      const wrong = values.indexOf(undefined);
      return wrong < 0
        ? { value: values.filter((value) => value !== undefined) }
        : { problem: `has an invalid element: "${parsed.value[wrong]}"` };
    },
  };
}

function parseAsNumbers(text: string): AsRange | undefined {
  const number = parseAsNumber(text);
  return number === undefined ? parseAsBlock(text) : { first: number, last: number };
}
