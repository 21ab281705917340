import { parseResource } from '@cadastre/rpsl';
import { allAnnotations, search } from '../api/search.js';
import { Show, useLoad } from '../design/load.js';
import { ObjectLink } from '../design/object-link.js';
import type { ObjectName } from '../paths.js';
import { answerOf } from '../query/answer.js';
import { HolderName, noneRegistered, Routes, RoutesFrom } from '../query/answer-card.js';
import { isNetwork, resourceOf } from './address-space.js';

/** Who holds a resource, the network around it, and its routes: what the answer to a search for it says. */
export function HolderFacts({ name }: { readonly name: ObjectName }) {
  const resource = resourceOf(name);
  const loaded = useLoad(resource, (signal) => factsOf(name, resource, signal));
  return (
    <section class="card facts">
      <h2>In short</h2>
      <Show of={loaded} what="holder and routes">
        {({ holder, around, routes }) => (
          <dl>
            <dt>Holder</dt>
            <dd>{holder ? <HolderName holder={holder} /> : noneRegistered}</dd>
            {around && (
              <>
                <dt>{isNetwork(name.type) ? 'Part of' : 'Network'}</dt>
                <dd>
                  <ObjectLink name={around} />
                </dd>
              </>
            )}
            <dt>Routes</dt>
            <dd>
              {name.type === 'aut-num' ? (
                <RoutesFrom term={resource} registered={name} />
              ) : routes.length > 0 ? (
                <Routes term={resource} routes={routes} />
              ) : (
                noneRegistered
              )}
            </dd>
          </dl>
        )}
      </Show>
    </section>
  );
}

async function factsOf(name: ObjectName, resource: string, signal: AbortSignal) {
  const isInside = isNetwork(name.type);
  const [own, above] = await Promise.all([
    search({ text: resource, sources: [name.source], annotations: allAnnotations }, signal),
    isInside
      ? search(
          { text: resource, sources: [name.source], types: [name.type], flags: ['one-less', 'no-referenced'] },
          signal,
        )
      : undefined,
  ]);
  const answer = answerOf(parseResource(resource)!, own.objects);
  const around = isInside ? above?.objects[0] : answer?.registered;
  return {
    holder: answer?.holder,
    around: name.type === 'aut-num' ? undefined : around?.name,
    routes: answer?.routes ?? [],
  };
}
