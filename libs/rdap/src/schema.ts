declare const shape: unique symbol;

/** A JSON Schema (draft 2020-12) of values of type `T`, as OpenAPI 3.1 uses it. */
export interface Schema<T = unknown> {
  readonly [shape]?: T;
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

/** The values of a schema. */
export type Shape<S> = S extends Schema<infer T> ? T : never;

type Described<T> = Schema<T> & { readonly description: string };
type TextDetails = Pick<Schema, 'format' | 'pattern' | 'const' | 'enum' | 'examples' | 'minLength' | 'maxLength'>;
type ListDetails = Pick<Schema, 'description' | 'minItems' | 'maxItems'>;
type Members<T> = { readonly [K in keyof T]: Schema<T[K]> };
type Nothing = Record<never, never>;

/** The schema that the interface description has under this name; its values are those of `_schema`. */
export function ref<T>(name: string, _schema?: Schema<T>): Schema<T> {
  return { $ref: `#/components/schemas/${name}` };
}

/** A text. */
export function text(description: string, more: TextDetails = {}): Described<string> {
  return { type: 'string', description, ...more };
}

/** A text that never changes. */
export function constant<T extends string>(value: T): Schema<T> {
  return { type: 'string', const: value };
}

/** One of some texts. */
export function oneOf<T extends string>(description: string, values: readonly T[]): Schema<T> {
  return { type: 'string', description, enum: values };
}

/** A whole number from `minimum`. */
export function count(description: string, minimum = 0): Described<number> {
  return { type: 'integer', minimum, description };
}

/** True or false. */
export function truth(description: string): Schema<boolean> {
  return { type: 'boolean', description };
}

/** A list of items with the same schema. */
export function list<T>(items: Schema<T>, more: ListDetails = {}): Schema<readonly T[]> {
  return { type: 'array', items, ...more };
}

/** An object with its required members and its optional ones. */
export function object<A, P = Nothing>(
  description: string,
  always: Members<A>,
  optional?: Members<P>,
): Schema<Readonly<A> & Readonly<Partial<P>>> {
  const required = Object.keys(always);
  return {
    type: 'object',
    description,
    properties: { ...always, ...optional },
    ...(required.length === 0 ? {} : { required }),
  };
}

/** A time in JSON (RFC 3339). */
export function instant(description: string): Schema<string> {
  return text(description, { format: 'date-time', examples: ['2030-01-31T12:00:00Z'] });
}
