import type { SetExpansion } from '@cadastre/client';
import { useState } from 'preact/hooks';
import { messagesOf } from '../api/registry.js';
import { expandSet } from '../api/sets.js';
import { CopyButton } from '../design/copy-button.js';
import { Show, useLoad } from '../design/load.js';
import { Alert } from '../design/messages.js';
import { toggled } from '../design/toggled.js';
import { TreeList } from '../design/tree-list.js';
import { type ObjectName, paths } from '../paths.js';
import { goTo, Link } from '../router.js';
import './set-members.css';
import { amount, numberText } from '../design/format.js';
import { SetOmissions } from './set-omissions.js';
import { type MemberRow, noSets, rowsOfSet, setNameOf, withExpansion } from './set-rows.js';

/** The contents of a set: its members as a tree, and their AS numbers and prefixes. */
export function SetMembers({ name }: { readonly name: ObjectName }) {
  const first = useLoad(name.key, (signal) => expandSet(name, { depth: 1 }, signal));
  const whole = useLoad(name.key, (signal) => expandSet(name, { prefixes: true }, signal));
  return (
    <div class="stack">
      <div class="card stack">
        <h2>All together</h2>
        <div class="set-totals">
          <Show of={whole} what="the contents of the set">
            {(expansion) => <Totals type={name.type} expansion={expansion} />}
          </Show>
        </div>
        {name.type !== 'rtr-set' && <SetOmissions key={name.key} name={name} />}
      </div>
      <div class="card stack set-tree">
        <h2>Members</h2>
        <Show of={first} what="the members">
          {(expansion) => (
            <Members name={name} expansions={whole.state === 'loaded' ? [expansion, whole.value] : [expansion]} />
          )}
        </Show>
      </div>
    </div>
  );
}

function Totals({ type, expansion }: { readonly type: string; readonly expansion: SetExpansion }) {
  const { sets, routers, partial, missing } = expansion;
  const lists: readonly (readonly [string, readonly string[]])[] =
    type === 'rtr-set'
      ? [['Routers', routers]]
      : [
          ['AS numbers', expansion['as-numbers']],
          ['IPv4 prefixes', expansion['ipv4-prefixes'] ?? []],
          ['IPv6 prefixes', expansion['ipv6-prefixes'] ?? []],
        ];
  return (
    <div class="stack">
      <dl class="figures tiles">
        {lists.map(([label, list]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd class="row">
              <strong>{numberText(list.length)}</strong>
              {list.length > 0 && <CopyButton label="Copy list" text={() => `${list.join('\n')}\n`} />}
            </dd>
          </div>
        ))}
        <div>
          <dt>Sets inside</dt>
          <dd class="row">
            <strong>{numberText(sets.length - 1)}</strong>
            {missing.length > 0 && <span class="chip warn">{missing.length} missing</span>}
          </dd>
        </div>
      </dl>
      {partial && (
        <p class="soft small">
          There is more than this: the registry reads at most 10,000 sets, 100,000 members and 50,000 prefixes.
        </p>
      )}
    </div>
  );
}

function Members({ name, expansions }: { readonly name: ObjectName; readonly expansions: readonly SetExpansion[] }) {
  const [later, setLater] = useState<readonly SetExpansion[]>([]);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [failure, setFailure] = useState<unknown>();
  const known = [...expansions, ...later].reduce(withExpansion, noSets);
  const rows = rowsOfSet(known, open, name.key);
  const toggle = ({ id, isOpen, state, member }: MemberRow) => {
    setOpen((last) => toggled(last, id));
    if (isOpen || state !== 'unknown' || member?.kind !== 'set') return;
    setFailure(undefined);
    expandSet({ source: name.source, key: setNameOf(member) }, { depth: 1 }).then(
      (expansion) => setLater((last) => [...last, expansion]),
      (error) => {
        setFailure(error);
        setOpen((last) => new Set([...last].filter((other) => other !== id)));
      },
    );
  };
  const follow = (row: MemberRow) => {
    const place = pageOf(row, name.source);
    if (place) goTo(place);
  };
  if (rows.length === 0) return <p class="soft">This set has no members.</p>;
  return (
    <>
      {failure !== undefined && <Alert messages={messagesOf(failure)} />}
      <TreeList label={`Members of ${name.key}`} rows={rows} toggle={toggle} follow={follow}>
        {(row) => <MemberOfSet row={row} source={name.source} />}
      </TreeList>
    </>
  );
}

function MemberOfSet({ row, source }: { readonly row: MemberRow; readonly source: string }) {
  const { value, state, isOpen, isJoined, prefixes } = row;
  const place = state === 'missing' ? undefined : pageOf(row, source);
  return (
    <span class="row set-member">
      {place ? <Link to={place} class="mono" tabIndex={-1} text={value} /> : <span class="mono">{value}</span>}
      {isJoined && <span class="chip plain">by member-of</span>}
      {state === 'missing' && <span class="chip warn">does not exist</span>}
      {state === 'loop' && <span class="chip warn">a loop: see above</span>}
      {state === 'unknown' && isOpen && <span class="soft">Loading …</span>}
      <span class="small soft">
        {typeof state === 'number' && amount(state, 'member')}
        {prefixes !== undefined && amount(prefixes, 'prefix', 'prefixes')}
      </span>
    </span>
  );
}

/** The page of a member. */
function pageOf({ member, value }: MemberRow, source: string): string | undefined {
  if (member === undefined) return undefined;
  if (member.kind === 'set')
    return paths.object({ source: member.source ?? source, type: member.type, key: member.name });
  const text = member.kind === 'as' ? `AS${member.number}` : value.replace(/\^.*/, '');
  return paths.query(new URLSearchParams({ q: text }));
}
