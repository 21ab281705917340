import { type AsRange, parseAsBlock, parseAsNumber, parseIpv4Prefix, parseIpv6Prefix } from '@cadastre/rpsl';
import { type Setting, setting, type Values } from '@cadastre/service';
import { defaultPolicy, type Policy } from './domain/policy.js';

/** The settings by which a registry differs from others. */
export const policySettings = {
  policyProfile: setting.oneOf(['none', 'rir'], {
    name: 'CADASTRE_POLICY_PROFILE',
    doc: "Rules beside those of every registry: none, or an RIR's, under which the statuses of networks form a hierarchy.",
    default: 'none',
  }),
  operatorMaintainers: setting.list({
    name: 'CADASTRE_POLICY_OPERATOR_MAINTAINERS',
    doc: "Names of the registry operator's mntners: they alone write as-blocks, e164.arpa and the whole address space.",
    default: [],
  }),
  countries: setting.list({
    name: 'CADASTRE_POLICY_COUNTRIES',
    doc: 'Codes that country may hold; those of ISO 3166 and EU unless set.',
    default: [],
  }),
  languages: setting.list({
    name: 'CADASTRE_POLICY_LANGUAGES',
    doc: 'Codes that language may hold; those of ISO 639-1 unless set.',
    default: [],
  }),
  bogons: listOf((text) => parseIpv4Prefix(text) ?? parseIpv6Prefix(text), {
    name: 'CADASTRE_POLICY_BOGONS',
    doc: 'Prefixes inside of which no route is created.',
    form: 'prefix,prefix,...',
  }),
  reservedAsNumbers: listOf(parseAsNumbers, {
    name: 'CADASTRE_POLICY_RESERVED_AS_NUMBERS',
    doc: 'AS numbers, or ranges of them as AS64512-AS65534, that originate no route.',
    form: 'AS1,AS2-AS3,...',
  }),
};

/** The policy that the settings describe; what they leave open is as in other registries. */
export function policyOf(settings: Values<typeof policySettings>): Policy {
  const codes = (set: readonly string[]) => new Set(set.map((code) => code.toUpperCase()));
  return {
    ...defaultPolicy,
    profile: settings.policyProfile,
    ...(settings.countries.length > 0 && { countries: codes(settings.countries) }),
    ...(settings.languages.length > 0 && { languages: codes(settings.languages) }),
    operatorMaintainers: settings.operatorMaintainers,
    bogons: settings.bogons,
    reservedAsNumbers: settings.reservedAsNumbers,
  };
}

/** A list of which every element means something; empty unless set. */
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
        : { problem: `has an element that is none: "${parsed.value[wrong]}"` };
    },
  };
}

function parseAsNumbers(text: string): AsRange | undefined {
  const number = parseAsNumber(text);
  return number === undefined ? parseAsBlock(text) : { first: number, last: number };
}
