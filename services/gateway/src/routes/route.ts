import type { Context } from '../context.js';
import type { Exchange } from '../exchange.js';
import type { Target, TargetOf } from '../locator.js';
import type { Operation } from '../openapi/operation.js';
import type { QueryParameters } from '../parameters.js';
import type { Answer } from '../respond.js';

/** What answers a method of a path, with what clients are told about it. No other query parameters can be read. */
export interface Route<K extends Target['kind'] = Target['kind'], Q extends QueryParameters = QueryParameters>
  extends Operation<Q> {
  /** Answers a request; throws what is no success. */
  answer(context: Context, exchange: Exchange<TargetOf<K>, Q>): Promise<Answer>;
}

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A path, and its routes by method; HEAD is answered as GET. */
export type PathRoutes<K extends Target['kind']> = {
  /** Template of the path (OpenAPI 3.1 section 4.8.8); a parameter may hold slashes when `locate` allows it. */
  readonly path: string;
} & { readonly [M in RouteMethod]?: Route<K> };
