/** A JSON Schema (draft 2020-12), as in OpenAPI 3.1. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

type Properties = Readonly<Record<string, Schema>>;
type Rest = Omit<Schema, '$ref' | 'type' | 'description'>;

/** A reference to a schema of the components. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** A text. */
export function text(description: string, more: Rest = {}): Schema & { readonly description: string } {
  return { type: 'string', description, ...more };
}

/** A whole number from `minimum`. */
export function count(description: string, minimum = 0): Schema & { readonly description: string } {
  return { type: 'integer', minimum, description };
}

/** True or false. */
export function truth(description: string): Schema {
  return { type: 'boolean', description };
}

/** A list of items with the same schema. */
export function list(items: Schema, more: Pick<Schema, 'description' | 'minItems' | 'maxItems'> = {}): Schema {
  return { type: 'array', items, ...more };
}

/** An object with its required members and its optional ones. */
export function object(description: string, always: Properties, optional: Properties = {}): Schema {
  const required = Object.keys(always);
  return {
    type: 'object',
    description,
    properties: { ...always, ...optional },
    ...(required.length === 0 ? {} : { required }),
  };
}

/** A time in JSON (RFC 3339). */
export function instant(description: string): Schema {
  return text(description, { format: 'date-time', examples: ['2030-01-31T12:00:00Z'] });
}
