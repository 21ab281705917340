import { parseResource } from '@cadastre/rpsl';
import { allAnnotations, search } from '../api/search.js';
import { ObjectLink } from '../design/object-link.js';
import type { ObjectName } from '../paths.js';
import { answerOf } from '../query/answer.js';
import { HolderName, noneRegistered, Routes, RoutesFrom } from '../query/answer-card.js';
import { isNetwork, resourceOf } from './address-space.js';
import { Facts } from './resource-facts.js';

/** Who holds a resource, the network around it, and its routes: what the answer to a search for it says. */
export function HolderFacts({ name }: { readonly name: ObjectName }) {
  const resource = resourceOf(name);
  return (
    <Facts heading="In short" what="holder and routes" load={(signal) => factsOf(name, resource, signal)}>
      {({ holder, around, routes }) => (
        <>
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
        </>
      )}
    </Facts>
  );
}

async function factsOf({ source, type }: ObjectName, text: string, signal: AbortSignal) {
  const query = { text, sources: [source] };
  const isInside = isNetwork(type);
  const [own, above] = await Promise.all([
    search({ ...query, annotations: allAnnotations }, signal),
    isInside ? search({ ...query, types: [type], flags: ['one-less', 'no-referenced'] }, signal) : undefined,
  ]);
  const answer = answerOf(parseResource(text)!, own.objects);
  const around = isInside ? above?.objects[0] : answer?.registered;
  return {
    holder: answer?.holder,
    around: type === 'aut-num' ? undefined : around?.name,
    routes: answer?.routes ?? [],
  };
}
