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
  readonly minLength?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** The values of a schema. */
export type Shape<S> = S extends Schema<infer T> ? T : never;

type Members<T> = { readonly [K in keyof T]: Schema<T[K]> };
type Nothing = Record<never, never>;

/** The schema that the interface description has under this name. */
export function ref<T>(name: string, _schema: Schema<T>): Schema<T> {
  return { $ref: `#/components/schemas/${name}` };
}

/** A text that is not empty. */
export function text(description: string, more: Pick<Schema, 'format' | 'pattern' | 'examples'> = {}): Schema<string> {
  return { type: 'string', description, minLength: 1, ...more };
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
export function count(description: string, minimum = 0): Schema<number> {
  return { type: 'integer', minimum, description };
}

/** True or false. */
export function truth(description: string): Schema<boolean> {
  return { type: 'boolean', description };
}

/** A list that is not empty. */
export function list<T>(items: Schema<T>, description?: string): Schema<readonly T[]> {
  return { type: 'array', items, minItems: 1, ...(description === undefined ? {} : { description }) };
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
