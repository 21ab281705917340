import type { ObjectTypeName } from '@cadastre/rpsl';

export type HandleKind = 'nic-hdl' | 'organisation' | 'x509';

/** The common part of numbered handles. */
export type Stem = Pick<HandleParts, 'kind' | 'stem'>;

/** A handle in its parts: "JS1-TEST" is number 1 of the stem "js-test". */
export interface HandleParts {
  readonly kind: HandleKind;
  /** Initials and suffix, folded. */
  readonly stem: string;
  readonly number: number;
}

const forms: { readonly [type in ObjectTypeName]?: { readonly kind: HandleKind; readonly form: RegExp } } = {
  person: { kind: 'nic-hdl', form: /^([a-z]{1,4})(\d{0,9})(-[a-z0-9-]+)?$/ },
  role: { kind: 'nic-hdl', form: /^([a-z]{1,4})(\d{0,9})(-[a-z0-9-]+)?$/ },
  organisation: { kind: 'organisation', form: /^org-([a-z]{2,4})(\d{1,9})(-[a-z0-9-]+)?$/ },
  'key-cert': { kind: 'x509', form: /^x509-()(\d{1,9})()$/ },
};

/** The parts of a folded key, if its type has numbered handles and it has that form. */
export function handleParts(type: ObjectTypeName, key: string): HandleParts | undefined {
  const known = forms[type];
  const match = known?.form.exec(key);
  if (!known || !match) return undefined;
  return { kind: known.kind, stem: `${match[1]}${match[3] ?? ''}`, number: Number(match[2]) };
}
