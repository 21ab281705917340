import type { ObjectName } from '../paths.js';

interface EditPageProps {
  /** The object to be changed; absent for a new one. */
  readonly name?: ObjectName;
  /** Type of the new object; empty while it is to be chosen. */
  readonly type?: string;
  readonly query: URLSearchParams;
}

export function EditPage({ name, type }: EditPageProps) {
  return <h1>{name ? `Edit ${name.key}` : `Create ${type}`}</h1>;
}
