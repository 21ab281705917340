import type { Token, TokenType } from './token.js';

/**
 * Recognises a piece of policy: given the tokens and a position, returns the position after the piece, ABSENT when the
 * piece does not start here, or BROKEN when it starts here and then fails. One token decides every choice without
 * backtracking, so recognition takes time linear in the number of tokens.
 */
export type Rule = (tokens: readonly Token[], at: number) => number;

const ABSENT = -1;
export const BROKEN = -2;

export function token(type: TokenType): Rule {
  return (tokens, at) => (tokens[at]?.type === type ? at + 1 : ABSENT);
}

/** A token of this type whose text satisfies the condition. */
export function tokenWhere(type: TokenType, accepts: (text: string) => boolean): Rule {
  return (tokens, at) => {
    const found = tokens[at];
    return found?.type === type && accepts(found.text) ? at + 1 : ABSENT;
  };
}

export function sequence(...rules: readonly Rule[]): Rule {
  return (tokens, at) => {
    let position = at;
    for (const rule of rules) {
      const next = rule(tokens, position);
      if (next < 0) return position === at ? next : BROKEN;
      position = next;
    }
    return position;
  };
}

export function choice(...rules: readonly Rule[]): Rule {
  return (tokens, at) => {
    for (const rule of rules) {
      const next = rule(tokens, at);
      if (next !== ABSENT) return next;
    }
    return ABSENT;
  };
}

export function optional(rule: Rule): Rule {
  return (tokens, at) => {
    const next = rule(tokens, at);
    return next === ABSENT ? at : next;
  };
}

/** Zero or more; the rule must consume something whenever it matches. */
export function many(rule: Rule): Rule {
  return (tokens, at) => {
    let position = at;
    for (;;) {
      const next = rule(tokens, position);
      if (next === ABSENT) return position;
      if (next === BROKEN) return BROKEN;
      position = next;
    }
  };
}

export function oneOrMore(rule: Rule): Rule {
  return sequence(rule, many(rule));
}

export function separated(item: Rule, separator: Rule): Rule {
  return sequence(item, many(sequence(separator, item)));
}

/** For rules that contain themselves. */
export function deferred(rule: () => Rule): Rule {
  return (tokens, at) => rule()(tokens, at);
}
