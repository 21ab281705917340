import type { ComponentProps } from 'preact';
import type { Past } from '../past/past.js';
import { type ObjectName, paths } from '../paths.js';
import { Link } from '../router.js';

interface ObjectLinkProps extends Omit<ComponentProps<typeof Link>, 'to' | 'text' | 'children'> {
  readonly name: ObjectName;
  readonly view?: string;
  readonly past?: Past | undefined;
}

/** A link to an object, with its key. */
export function ObjectLink({ name, view, past, ...rest }: ObjectLinkProps) {
  return <Link to={paths.object(name, view, past)} class="mono" {...rest} text={name.key} />;
}
